/** A menu behind a button. */
import { DropdownMenu } from "radix-ui";
import type { ComponentType, ReactElement } from "react";
import { classNames } from "./class-names.ts";
import styles from "./design.module.css";

export interface MenuItem {
  label: string;
  icon?: ComponentType;
  danger?: boolean;
  disabled?: boolean;
  onSelect: () => void;
}

/** `trigger` is a button with an accessible name. */
export function Menu({ trigger, items }: { trigger: ReactElement; items: readonly MenuItem[] }) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={styles.menu} align="end" sideOffset={4} collisionPadding={8}>
          {items.map(({ label, icon: Icon, danger = false, disabled = false, onSelect }) => (
            <DropdownMenu.Item
              key={label}
              className={classNames(styles.menuItem, danger && styles.danger)}
              disabled={disabled}
              onSelect={onSelect}
            >
              {Icon && <Icon />}
              {label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
