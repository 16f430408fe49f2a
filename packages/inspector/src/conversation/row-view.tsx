/** One row of the conversation. */
import { memo } from "react";
import type { SessionEndedData, TranscriptError, TranscriptTurn } from "sandbox-agent";
import { Badge, Code, Notice, Spinner } from "../design/index.ts";
import { cost, tokens } from "../sessions/format.ts";
import { AnswerView } from "./answer-view.tsx";
import styles from "./conversation.module.css";
import { ItemView } from "./item-view.tsx";
import { PermissionCard } from "./permission-card.tsx";
import { QuestionCard } from "./question-card.tsx";
import { type Row, sameRow } from "./rows.ts";

export interface RowViewProps {
  row: Row;
  /** Whether keyboard shortcuts answer this request. */
  active: boolean;
}

export const RowView = memo(
  function RowView({ row, active }: RowViewProps) {
    switch (row.kind) {
      case "item":
        return <ItemView row={row} />;
      case "turn":
        return <TurnEnd turn={row.turn} />;
      case "error":
        return <ErrorNotice error={row.error} />;
      case "answer":
        return <AnswerView answer={row.answer} />;
      case "permission":
        return <PermissionCard permission={row.permission} active={active} />;
      case "question":
        return <QuestionCard question={row.question} active={active} />;
      case "ended":
        return <SessionEnd ended={row.ended} />;
      case "working":
        return (
          <div className={styles.working}>
            <Spinner label="Working" /> Working…
          </div>
        );
    }
  },
  (before, after) => before.active === after.active && sameRow(before.row, after.row),
);

function ErrorNotice({ error: { message, code, details } }: { error: TranscriptError }) {
  return (
    <Notice tone="bad">
      {message}
      {code && <code className={styles.errorCode}>{code}</code>}
      {code === "process_exit" && isExit(details) && <Stderr stderr={details.stderr} />}
    </Notice>
  );
}

function isExit(details: unknown): details is Pick<SessionEndedData, "stderr"> {
  return typeof details === "object" && details !== null && "stderr" in details;
}

/** The end of the standard error of the agent's process. */
function Stderr({ stderr }: { stderr: SessionEndedData["stderr"] }) {
  const text = [stderr?.head, stderr?.tail].filter(Boolean).join("\n…\n");
  return text && <Code text={text} label="Standard error" maxHeight={240} />;
}

function SessionEnd({ ended }: { ended: SessionEndedData }) {
  const { reason, message, exit_code: exitCode, stderr } = ended;
  return (
    <Notice tone={reason === "error" ? "bad" : "info"}>
      <strong>Session ended</strong> ({reason}){message && `: ${message}`}
      {exitCode != null && ` (exit code ${exitCode})`}
      <Stderr stderr={stderr} />
    </Notice>
  );
}

function TurnEnd({ turn: { reason, usage } }: { turn: TranscriptTurn }) {
  const figures = [
    usage?.input_tokens !== undefined && `${tokens(usage.input_tokens)} in`,
    usage?.output_tokens !== undefined && `${tokens(usage.output_tokens)} out`,
    usage?.cached_tokens !== undefined && `${tokens(usage.cached_tokens)} cached`,
    usage?.reasoning_tokens !== undefined && `${tokens(usage.reasoning_tokens)} reasoning`,
    usage?.cost_usd !== undefined && cost(usage.cost_usd),
  ].filter((figure) => typeof figure === "string");
  return (
    <div className={styles.turn}>
      {reason !== null && reason !== "completed" && <Badge tone="warn">Turn {reason}</Badge>}
      {figures.length > 0 && <span>{figures.join(" · ")}</span>}
    </div>
  );
}
