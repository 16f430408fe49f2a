/** A block of code or output that can be copied. */
import { Check, Copy } from "lucide-react";
import { type ReactNode, useState } from "react";
import { IconButton } from "./button.tsx";
import { copyText } from "./copy-text.ts";
import styles from "./design.module.css";

export interface CodeProps {
  text: string;
  /** Accessible name. */
  label: string;
  maxHeight?: number;
  /** The same text, highlighted. */
  children?: ReactNode;
}

export function Code({ text, label, maxHeight, children }: CodeProps) {
  return (
    <div className={styles.code}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={styles.codeScroll} style={{ maxHeight }} tabIndex={0} aria-label={label}>
        <pre>{children ?? text}</pre>
      </section>
      <CopyButton text={text} />
    </div>
  );
}

export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => setCopied(await copyText(text));
  return (
    <IconButton label={copied ? "Copied" : label} small onClick={copy} onBlur={() => setCopied(false)}>
      {copied ? <Check /> : <Copy />}
    </IconButton>
  );
}
