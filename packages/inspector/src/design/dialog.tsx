/** A dialog with a title, a scrolling body and buttons at the bottom. */
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { IconButton } from "./button.tsx";
import styles from "./design.module.css";

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  children: ReactNode;
  footer?: ReactNode;
}

export function Dialog({ open, onOpenChange, title, children, footer }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={styles.overlay} />
        <Radix.Content className={styles.dialog} aria-describedby={undefined} onOpenAutoFocus={focusField}>
          <div className={styles.dialogHeader}>
            <Radix.Title>{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label="Close">
                <X />
              </IconButton>
            </Radix.Close>
          </div>
          <div className={styles.dialogBody}>{children}</div>
          {footer && <div className={styles.dialogFooter}>{footer}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Focuses the first field, or the dialog itself if it has no fields. Radix would focus the close button. */
function focusField(event: Event): void {
  if (!(event.currentTarget instanceof HTMLElement)) return;
  event.preventDefault();
  const field = event.currentTarget.querySelector("input, select, textarea");
  if (field instanceof HTMLElement) field.focus();
  else event.currentTarget.focus();
}
