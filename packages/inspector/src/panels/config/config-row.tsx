/** One configured entry of a directory. */
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { Allowed } from "../../app/access.tsx";
import { Badge, IconButton } from "../../design/index.ts";
import { Confirm } from "../frame/confirm.tsx";
import { panelStyles } from "../frame/panel.tsx";
import styles from "./config.module.css";

interface Props {
  name: string;
  text: string;
  /** Shown when entries of several directories are listed. */
  directory: string | null;
  isOff: boolean;
  onEdit(): void;
  onRemove(): void;
}

export function ConfigRow({ name, text, directory, isOff, onEdit, onRemove }: Props) {
  const [confirming, setConfirming] = useState(false);
  return (
    <li className={styles.row}>
      <strong>{name}</strong>
      {isOff && <Badge>off</Badge>}
      <span className={`${panelStyles.text} ${panelStyles.mono}`} title={text}>
        {text}
      </span>
      {directory !== null && <span className={styles.directory}>{directory}</span>}
      <Allowed scope="admin">
        <IconButton label={`Edit ${name}`} small onClick={onEdit}>
          <Pencil />
        </IconButton>
        <IconButton label={`Remove ${name}`} small onClick={() => setConfirming(true)}>
          <Trash2 />
        </IconButton>
      </Allowed>
      {confirming && (
        <Confirm title={`Remove ${name}?`} verb="Remove" onConfirm={onRemove} onClose={() => setConfirming(false)}>
          Sessions in this directory stop using it from their next turn.
        </Confirm>
      )}
    </li>
  );
}
