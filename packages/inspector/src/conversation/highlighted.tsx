/** Syntax highlighting. Loaded on demand, because the grammars are large. */
import "./highlight.css";
import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import { common, createLowlight } from "lowlight";
import { useMemo } from "react";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";

const lowlight = createLowlight(common);

export default function Highlighted({ text, language }: { text: string; language: string }) {
  return useMemo(() => {
    const name = language.toLowerCase();
    if (!lowlight.registered(name)) return text;
    return toJsxRuntime(lowlight.highlight(name, text), { Fragment, jsx, jsxs });
  }, [text, language]);
}
