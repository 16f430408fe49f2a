/** Renders the Markdown of agents, also while it streams in. */
import { type ComponentProps, memo, useMemo } from "react";
import ReactMarkdown, { type Components, type ExtraProps } from "react-markdown";
import remarkGfm from "remark-gfm";
import { blocksOf } from "./blocks.ts";
import { CodeBlock } from "./code-block.tsx";
import styles from "./markdown.module.css";

/** Longer blocks are shown as plain text, because parsing them blocks the page. */
const maxBlockLength = 20_000;

export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => blocksOf(text), [text]);
  return (
    <div className={styles.markdown}>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text only grows at its end, so blocks keep their index
        <Block key={index} text={block} />
      ))}
    </div>
  );
});

const plugins = [remarkGfm];

const Block = memo(function Block({ text }: { text: string }) {
  if (text.length > maxBlockLength) return <p className={styles.plain}>{text}</p>;
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components}>
      {text}
    </ReactMarkdown>
  );
});

const components: Components = {
  a: ({ node: _, ...props }) => <a {...props} target="_blank" rel="noreferrer" />,
  // Nothing is loaded from other hosts, so images become links.
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
