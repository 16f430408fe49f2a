/** Code, with colours as soon as the highlighter is loaded. */
import { lazy, Suspense } from "react";
import { Code } from "../design/index.ts";

const Highlighted = lazy(() => import("./highlighted.tsx"));

/** Colouring more than this takes longer than a frame or two. */
const longestColoured = 50_000;

export interface CodeBlockProps {
  text: string;
  language: string | null;
  /** What it is, unless that is just code. */
  label?: string;
  maxHeight?: number;
}

export function CodeBlock({ text, language, label, maxHeight }: CodeBlockProps) {
  const coloured = language !== null && text.length <= longestColoured;
  return (
    <Code
      text={text}
      label={label ?? (language ? `Code in ${language}` : "Code")}
      {...(maxHeight !== undefined && { maxHeight })}
    >
      {coloured && (
        <Suspense fallback={text}>
          <Highlighted text={text} language={language} />
        </Suspense>
      )}
      {!coloured && text}
    </Code>
  );
}
