/** `api sessions diff | checkpoints | checkpoint | preview-checkpoint | restore-checkpoint`: the file changes of a session. */
import { CheckpointList } from "@sandbox-agent/schema";
import type { Command } from "commander";
import { addOperation } from "../operation-command.ts";
import { wholeNumber } from "../option-values.ts";
import type { Table } from "../table.ts";

export function addChanges(sessions: Command): void {
  addOperation(sessions, {
    operation: "getDiff",
    usage: "diff <session-id>",
    request: (session_id: string, { turn }: { turn?: number }) => ({ params: { session_id }, query: { turn } }),
  }).option("--turn <n>", "only what this turn changed (default: the whole session)", wholeNumber(1));
  addOperation(sessions, {
    operation: "listCheckpoints",
    usage: "checkpoints <session-id>",
    request: (session_id: string) => ({ params: { session_id } }),
    table: checkpointTable,
  });
  addOperation(sessions, {
    operation: "createCheckpoint",
    usage: "checkpoint <session-id>",
    request: (session_id: string, { title }: { title?: string }) => ({ params: { session_id }, body: { title } }),
  }).option("--title <text>", "title of the checkpoint");
  addOperation(sessions, {
    operation: "previewCheckpoint",
    usage: "preview-checkpoint <session-id> <checkpoint-id>",
    request: (session_id: string, checkpoint_id: string) => ({ params: { session_id, checkpoint_id } }),
  });
  addOperation(sessions, {
    operation: "restoreCheckpoint",
    usage: "restore-checkpoint <session-id> <checkpoint-id>",
    request: (session_id: string, checkpoint_id: string) => ({ params: { session_id, checkpoint_id } }),
  });
}

function checkpointTable(value: unknown): Table {
  const { checkpoints } = CheckpointList().parse(value);
  return {
    columns: ["CHECKPOINT", "REASON", "TURN", "CREATED", "FILES", "TITLE"],
    rows: checkpoints.map(({ checkpointId, reason, turn, createdAt, tree, title }) => [
      checkpointId,
      reason,
      turn === null ? "-" : String(turn),
      new Date(createdAt).toLocaleString("sv-SE"),
      tree.slice(0, 8),
      title ?? "",
    ]),
    empty: "No checkpoints. They are created by turns of a session with a directory.",
  };
}
