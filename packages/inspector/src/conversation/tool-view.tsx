/** A tool call with its result and the items of its subagent. */
import { Bot, CircleCheck, CircleX } from "lucide-react";
import type { ContentPart, TranscriptItem } from "sandbox-agent";
import { classNames, Spinner } from "../design/index.ts";
import { CodeBlock } from "./code-block.tsx";
import styles from "./conversation.module.css";
import { Details } from "./details.tsx";
import { ItemView } from "./item-view.tsx";
import { useOpen } from "./open-state.tsx";
import { Parts } from "./parts.tsx";
import type { ItemRow } from "./rows.ts";
import { ToolIcon } from "./tool-icon.tsx";
import { commandOf, inputSummary, parseArguments } from "./tool-input.ts";

export function ToolView({ row: { item, result, nested } }: { row: ItemRow }) {
  const call = item.content.find((part) => part.type === "tool_call");
  const input = parseArguments(call?.arguments ?? "");
  const others = [...otherParts(item), ...(result ? otherParts(result) : [])];
  const hasDiff = others.some((part) => part.type === "file_ref" && part.diff);
  const state = useOpen(item.item_id, hasDiff || nested.length > 0);
  return (
    <details className={styles.tool} {...state}>
      <summary>
        {nested.length > 0 ? <Bot aria-hidden /> : <ToolIcon name={call?.name ?? ""} />}
        <strong>{call?.name ?? "Tool"}</strong>
        <code className={styles.peek}>{inputSummary(input)}</code>
        <ToolStatus item={item} result={result} />
      </summary>
      {state.open && (
        <div className={styles.toolBody}>
          {/* With a diff or a subagent, the arguments add little and are collapsed. */}
          {hasDiff || nested.length > 0 ? (
            <Details id={`${item.item_id} input`} title="Input" value={input} />
          ) : (
            <ToolInput input={input} />
          )}
          {nested.length > 0 && (
            <section className={styles.nested} aria-label="Subagent">
              {nested.map((row) => (
                <ItemView key={row.key} row={row} />
              ))}
            </section>
          )}
          {result && <Parts itemId={result.item_id} content={result.content.filter(isOutput)} />}
          <Parts itemId={item.item_id} content={others} />
        </div>
      )}
    </details>
  );
}

/** A command is shown as shell code; an empty input is not shown. */
function ToolInput({ input }: { input: unknown }) {
  const command = commandOf(input);
  if (command !== null) return <CodeBlock text={command} language="bash" maxHeight={220} />;
  const text = typeof input === "string" ? input : JSON.stringify(input, null, 2);
  if (!text || text === "{}") return null;
  return <CodeBlock text={text} language="json" maxHeight={220} />;
}

function ToolStatus({ item, result }: { item: TranscriptItem; result: TranscriptItem | null }) {
  const statuses = [item.status, result?.status];
  if (statuses.includes("failed")) return <CircleX className={styles.bad} role="img" aria-label="Failed" />;
  if (statuses.includes("in_progress")) return <Spinner label="Running" />;
  return <CircleCheck className={classNames(result && styles.good)} role="img" aria-label="Done" />;
}

function otherParts({ content }: TranscriptItem): ContentPart[] {
  return content.filter((part) => part.type !== "tool_call" && part.type !== "tool_result");
}

function isOutput(part: ContentPart): boolean {
  return part.type === "tool_result" && part.output !== "";
}
