/** The parts of an item's content. */
import { todosOf } from "@sandbox-agent/schema/todo";
import { Brain, FileText } from "lucide-react";
import type { ContentPart } from "sandbox-agent";
import { Badge } from "../design/index.ts";
import { CodeBlock } from "./code-block.tsx";
import styles from "./conversation.module.css";
import { Diff } from "./diff.tsx";
import { LongText } from "./long-text.tsx";
import { Markdown } from "./markdown.tsx";
import { useOpen } from "./open-state.tsx";
import { Picture } from "./picture.tsx";
import { Plan } from "./plan.tsx";
import { TodoList } from "./todo-list.tsx";
import { isRecord } from "./tool-input.ts";

export interface PartsProps {
  itemId: string;
  content: readonly ContentPart[];
  /** The user's text is shown as typed; agents write Markdown. */
  asTyped?: boolean;
  streaming?: boolean;
}

export function Parts({ itemId, content, asTyped = false, streaming = false }: PartsProps) {
  return content.map((part, index) => (
    <Part
      // biome-ignore lint/suspicious/noArrayIndexKey: content only grows at its end
      key={index}
      id={`${itemId} ${index}`}
      part={part}
      asTyped={asTyped}
      streaming={streaming && index === content.length - 1}
    />
  ));
}

interface PartProps {
  id: string;
  part: ContentPart;
  asTyped: boolean;
  streaming: boolean;
}

function Part({ id, part, asTyped, streaming }: PartProps) {
  switch (part.type) {
    case "text":
      return (
        <LongText text={part.text}>
          {(text) => (asTyped ? <div className={styles.typed}>{text}</div> : <Markdown text={text} />)}
        </LongText>
      );
    case "reasoning":
      return <Reasoning id={id} text={part.text} streaming={streaming} />;
    case "json":
      return <Json id={id} value={part} />;
    case "image":
      return <Picture path={part.path} mime={part.mime ?? null} />;
    case "file_ref":
      return <FileReference part={part} />;
    case "status":
      return (
        <div className={styles.status}>
          <strong>{part.label}</strong>
          {part.detail && <span>{part.detail}</span>}
        </div>
      );
    case "tool_call":
      return <CodeBlock text={part.arguments} language="json" />;
    case "tool_result":
      return (
        <LongText text={part.output}>{(text) => <CodeBlock text={text} language={null} maxHeight={360} />}</LongText>
      );
  }
}

function Reasoning({ id, text, streaming }: { id: string; text: string; streaming: boolean }) {
  const state = useOpen(id, false);
  if (text.trim() === "") return null;
  return (
    <details className={styles.reasoning} {...state}>
      <summary>
        <Brain aria-hidden />
        {streaming ? "Thinking…" : "Reasoning"}
        {!state.open && <span className={styles.peek}>{text.slice(0, 120)}</span>}
      </summary>
      {state.open && <LongText text={text}>{(shown) => <Markdown text={shown} />}</LongText>}
    </details>
  );
}

function Json({ id, value }: { id: string; value: Extract<ContentPart, { type: "json" }> }) {
  const todos = todosOf({ type: "json", json: value.json });
  if (todos) return <TodoList todos={todos} />;
  if (isRecord(value.json) && typeof value.json.plan === "string") return <Plan id={id} text={value.json.plan} />;
  return <CodeBlock text={JSON.stringify(value.json, null, 2) ?? "undefined"} language="json" maxHeight={360} />;
}

function FileReference({ part }: { part: Extract<ContentPart, { type: "file_ref" }> }) {
  if (part.diff) return <Diff path={part.path} patch={part.diff} />;
  return (
    <div className={styles.file}>
      <FileText aria-hidden />
      <code>{part.path}</code>
      <Badge>{part.action}</Badge>
    </div>
  );
}
