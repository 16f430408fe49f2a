/** Asks for one line of text: a name, a path. */
import { type FormEvent, useState } from "react";
import { Button, Dialog, Field, Input } from "../../design/index.ts";

interface Props {
  title: string;
  label: string;
  /** Label of the button that submits. */
  verb: string;
  hint?: string;
  initial?: string;
  onAnswer(text: string): void;
  onClose(): void;
}

export function Prompt({ title, label, verb, hint, initial = "", onAnswer, onClose }: Props) {
  const [text, setText] = useState(initial);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onAnswer(text.trim());
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
          <Button look="primary" type="submit" form="prompt" disabled={text.trim() === ""}>
            {verb}
          </Button>
        </>
      }
    >
      <form id="prompt" onSubmit={submit}>
        <Field label={label} hint={hint}>
          <Input value={text} onChange={({ target }) => setText(target.value)} autoComplete="off" spellCheck={false} />
        </Field>
      </form>
    </Dialog>
  );
}
