/** The layout of a panel: a toolbar, and lists whose selected entry is shown beside or below them. */
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { failureText } from "../../app/failure-text.ts";
import { classNames, IconButton, Notice } from "../../design/index.ts";
import styles from "./panel.module.css";

export { styles as panelStyles };

export function Panel({ toolbar, children }: { toolbar?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.panel}>
      {toolbar && <div className={styles.toolbar}>{toolbar}</div>}
      {children}
    </div>
  );
}

export function PanelBody({ padded = false, children }: { padded?: boolean; children: ReactNode }) {
  return <div className={classNames(styles.body, padded && styles.padded)}>{children}</div>;
}

/** Renders nothing without an error. */
export function Failure({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <div className={styles.notice}>
      <Notice tone="bad">{failureText(error)}</Notice>
    </div>
  );
}

export function Split({ children }: { children: ReactNode }) {
  return <div className={styles.split}>{children}</div>;
}

interface DetailProps {
  title: string;
  actions?: ReactNode;
  onClose(): void;
  children: ReactNode;
}

export function Detail({ title, actions, onClose, children }: DetailProps) {
  return (
    <section className={styles.detail} aria-label={title}>
      <div className={styles.detailHead}>
        <h3 className={styles.detailTitle} title={title}>
          {title}
        </h3>
        {actions}
        <IconButton label="Close details" small onClick={onClose}>
          <X />
        </IconButton>
      </div>
      <div className={styles.detailBody}>{children}</div>
    </section>
  );
}
