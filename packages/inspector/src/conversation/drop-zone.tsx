/** A place onto which files can be dropped, and that says so while they are held over it. */
import { Paperclip } from "lucide-react";
import { type DragEvent, type ReactNode, useState } from "react";
import styles from "./conversation.module.css";

export interface DropZoneProps {
  onFiles: (files: FileList) => void;
  children: ReactNode;
}

export function DropZone({ onFiles, children }: DropZoneProps) {
  const [over, setOver] = useState(false);
  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setOver(true);
  };
  const onDragLeave = ({ currentTarget, relatedTarget }: DragEvent) => {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFiles(event.dataTransfer.files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the same can be done with the button for files
    <div className={styles.session} onDragOver={onDragOver} onDragLeave={onDragLeave} onDrop={onDrop}>
      {children}
      {over && (
        <div className={styles.dropping} aria-hidden>
          <Paperclip /> Drop to attach
        </div>
      )}
    </div>
  );
}
