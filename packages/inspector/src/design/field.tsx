/** Form fields. A `Field` gives its control a visible name. */
import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import styles from "./design.module.css";

export function Input({ className, ...props }: ComponentProps<"input">) {
  return <input className={classNames(styles.input, className)} {...props} />;
}

export function TextArea({ className, ...props }: ComponentProps<"textarea">) {
  return <textarea className={classNames(styles.input, className)} {...props} />;
}

export interface Option {
  value: string;
  label: string;
}

export interface SelectProps extends Omit<ComponentProps<"select">, "onChange" | "value"> {
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
}

/** The browser's own list: long ones can be typed into, and phones show them in their way. */
export function Select({ options, onChange, className, ...props }: SelectProps) {
  return (
    <select
      className={classNames(styles.input, className)}
      onChange={({ target }) => onChange(target.value)}
      {...props}
    >
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** The control goes inside, so that the label belongs to it. */
export function Field({ label, hint, children }: { label: string; hint?: ReactNode; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label className={styles.field}>
      <span className={styles.label}>{label}</span>
      {children}
      {hint && <span className={styles.hint}>{hint}</span>}
    </label>
  );
}
