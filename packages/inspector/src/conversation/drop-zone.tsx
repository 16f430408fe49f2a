/** An area that accepts dropped files and shows a hint while files are dragged over it. */
import { Paperclip } from "lucide-react";
import { type DragEvent, type ReactNode, useState } from "react";
import styles from "./conversation.module.css";

export interface DropZoneProps {
  onFiles: (files: FileList) => void;
  children: ReactNode;
}

export function DropZone({ onFiles, children }: DropZoneProps) {
  const [isOver, setIsOver] = useState(false);
  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setIsOver(true);
  };
  const onDragLeave = ({ currentTarget, relatedTarget }: DragEvent) => {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsOver(false);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    onFiles(event.dataTransfer.files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the attach button does the same
    <div className={styles.session} onDragOver={onDragOver} onDragLeave={onDragLeave} onDrop={onDrop}>
      {children}
      {isOver && (
        <div className={styles.dropping} aria-hidden>
          <Paperclip /> Drop to attach
        </div>
      )}
    </div>
  );
}
