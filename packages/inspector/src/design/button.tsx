/** Buttons with text, and buttons with an icon and a tooltip. */
import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import styles from "./design.module.css";
import { Tooltip } from "./tooltip.tsx";

export interface ButtonProps extends ComponentProps<"button"> {
  look?: "plain" | "primary" | "danger" | "ghost";
  small?: boolean;
}

export function Button({ look = "plain", small = false, className, type = "button", ...props }: ButtonProps) {
  const lookClass = look === "plain" ? null : styles[look];
  return (
    <button type={type} className={classNames(styles.button, lookClass, small && styles.small, className)} {...props} />
  );
}

export interface IconButtonProps extends Omit<ButtonProps, "children"> {
  /** Accessible name and tooltip. */
  label: string;
  children: ReactNode;
}

export function IconButton({ label, className, look = "ghost", ...props }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <Button aria-label={label} look={look} className={classNames(styles.icon, className)} {...props} />
    </Tooltip>
  );
}
