/** Cards, badges, notices, spinners and empty states. */
import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ComponentProps, ComponentType, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import styles from "./design.module.css";

export function Card({ className, ...props }: ComponentProps<"div">) {
  return <div className={classNames(styles.card, className)} {...props} />;
}

export interface BadgeProps extends ComponentProps<"span"> {
  tone?: "plain" | "ok" | "warn" | "bad" | "accent";
}

export function Badge({ tone = "plain", className, ...props }: BadgeProps) {
  return <span className={classNames(styles.badge, tone !== "plain" && styles[tone], className)} {...props} />;
}

export function Spinner({ label = "Loading" }: { label?: string }) {
  return <span className={styles.spinner} role="status" aria-label={label} />;
}

export interface EmptyStateProps {
  icon?: ComponentType;
  title: string;
  children?: ReactNode;
}

export function EmptyState({ icon: Icon, title, children }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      {Icon && <Icon />}
      <strong>{title}</strong>
      {children}
    </div>
  );
}

const noticeIcons = { info: Info, warn: TriangleAlert, bad: CircleAlert };

export interface NoticeProps {
  tone?: "info" | "warn" | "bad";
  children: ReactNode;
}

/** Screen readers announce a notice with tone `bad` immediately. */
export function Notice({ tone = "info", children }: NoticeProps) {
  const Icon = noticeIcons[tone];
  return (
    <div
      className={classNames(styles.notice, tone !== "info" && styles[tone])}
      role={tone === "bad" ? "alert" : "note"}
    >
      <Icon aria-hidden />
      <div>{children}</div>
    </div>
  );
}
