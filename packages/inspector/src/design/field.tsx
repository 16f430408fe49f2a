/** Form fields. A `Field` adds a label to its control. */
import { type ComponentProps, createContext, type ReactNode, useContext, useId } from "react";
import { classNames } from "./class-names.ts";
import styles from "./design.module.css";

/** The id that the label of a field points to. */
const FieldId = createContext<string | undefined>(undefined);

export function Input({ className, ...props }: ComponentProps<"input">) {
  return <input id={useContext(FieldId)} className={classNames(styles.input, className)} {...props} />;
}

export function TextArea({ className, ...props }: ComponentProps<"textarea">) {
  return <textarea id={useContext(FieldId)} className={classNames(styles.input, className)} {...props} />;
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

/** The native select: it supports typing to search, and phones show their own picker. */
export function Select({ options, onChange, className, ...props }: SelectProps) {
  return (
    <select
      id={useContext(FieldId)}
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

/** Contains one control, which gets the label. */
export function Field({ label, hint, children }: { label: string; hint?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <FieldId value={id}>{children}</FieldId>
      {hint && <span className={styles.hint}>{hint}</span>}
    </div>
  );
}
