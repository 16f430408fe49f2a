/** Code, highlighted as soon as the highlighter is loaded. */
import { lazy, Suspense } from "react";
import { Code } from "../design/index.ts";

const Highlighted = lazy(() => import("./highlighted.tsx"));

/** Highlighting more than this takes longer than a frame or two. */
const maxHighlighted = 50_000;

export interface CodeBlockProps {
  text: string;
  language: string | null;
  /** Accessible name (default: the language). */
  label?: string;
  maxHeight?: number;
}

export function CodeBlock({ text, language, label, maxHeight }: CodeBlockProps) {
  const isHighlighted = language !== null && text.length <= maxHighlighted;
  return (
    <Code
      text={text}
      label={label ?? (language ? `Code in ${language}` : "Code")}
      {...(maxHeight !== undefined && { maxHeight })}
    >
      {isHighlighted && (
        <Suspense fallback={text}>
          <Highlighted text={text} language={language} />
        </Suspense>
      )}
      {!isHighlighted && text}
    </Code>
  );
}
