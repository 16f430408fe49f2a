/** Markdown as agents write it, while they write it. */
import { type ComponentProps, memo, useMemo } from "react";
import ReactMarkdown, { type Components, type ExtraProps } from "react-markdown";
import remarkGfm from "remark-gfm";
import { blocksOf } from "./blocks.ts";
import { CodeBlock } from "./code-block.tsx";
import styles from "./markdown.module.css";

/** Parsing more than this at once would be felt; such a block is hardly prose. */
const longestBlock = 20_000;

export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => blocksOf(text), [text]);
  return (
    <div className={styles.markdown}>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text only grows at its end, so its blocks keep their places
        <Block key={index} text={block} />
      ))}
    </div>
  );
});

const plugins = [remarkGfm];

const Block = memo(function Block({ text }: { text: string }) {
  if (text.length > longestBlock) return <p className={styles.plain}>{text}</p>;
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components}>
      {text}
    </ReactMarkdown>
  );
});

const components: Components = {
  a: ({ node: _, ...props }) => <a {...props} target="_blank" rel="noreferrer" />,
  // Nothing is loaded from outside: a picture somewhere else is a link to it.
  img: ({ src, alt }) => (
    <a href={typeof src === "string" ? src : ""} target="_blank" rel="noreferrer">
      {alt || "image"}
    </a>
  ),
  table: ({ node: _, ...props }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.table} tabIndex={0} aria-label="Table">
      <table {...props} />
    </section>
  ),
  pre: Pre,
};

function Pre({ node }: ComponentProps<"pre"> & ExtraProps) {
  const code = node?.children[0];
  if (code?.type !== "element") return null;
  const text = code.children.map((child) => (child.type === "text" ? child.value : "")).join("");
  const classes = code.properties.className;
  const language = Array.isArray(classes)
    ? classes.map(String).find((name) => name.startsWith("language-"))
    : undefined;
  return <CodeBlock text={text.replace(/\n$/, "")} language={language?.slice("language-".length) ?? null} />;
}
