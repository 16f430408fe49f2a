/** Asks for confirmation. */
import type { ReactNode } from "react";
import { Button, Dialog } from "../../design/index.ts";

interface Props {
  title: string;
  /** Label of the button that confirms. */
  verb: string;
  children: ReactNode;
  onConfirm(): void;
  onClose(): void;
}

export function Confirm({ title, verb, children, onConfirm, onClose }: Props) {
  const confirm = () => {
    onConfirm();
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" onClick={confirm}>
            {verb}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
