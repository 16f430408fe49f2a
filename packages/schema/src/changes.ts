/** What a session changed in its directory: events, diffs, and checkpoints to go back to. */
import * as z from "zod";
import { type Infer, lazy } from "./lazy.ts";

export const FileChangeKind = lazy(() =>
  z.enum(["created", "modified", "deleted", "renamed"]).meta({ id: "FileChangeKind" }),
);
export type FileChangeKind = Infer<typeof FileChangeKind>;

export const FileChange = lazy(() =>
  z
    .object({
      path: z.string().meta({ description: "Relative to the session's directory" }),
      kind: FileChangeKind(),
      from: z.string().optional().meta({ description: "The previous path of a renamed file" }),
      call_id: z.string().optional().meta({ description: "The tool call that made the change, if known" }),
    })
    .meta({ id: "FileChange" }),
);
export type FileChange = Infer<typeof FileChange>;

export const FileChangedData = lazy(() =>
  z
    .object({
      turn_id: z
        .string()
        .meta({ description: "The turn of the change; the last event of a turn may follow its `turn.ended`" }),
      changes: z.array(FileChange()),
    })
    .meta({ id: "FileChangedData" }),
);
export type FileChangedData = Infer<typeof FileChangedData>;

export const ChangesStatus = lazy(() =>
  z
    .object({
      watching: z.boolean().meta({ description: "Whether file changes are reported as they happen" }),
      checkpoints: z.boolean().meta({ description: "Whether diffs and checkpoints are available" }),
      detail: z.string().meta({ description: "Why something is unavailable, and what to do about it" }),
    })
    .meta({ id: "ChangesStatus" }),
);
export type ChangesStatus = Infer<typeof ChangesStatus>;

export const CheckpointReason = lazy(() =>
  z.enum(["turn_started", "turn_ended", "manual", "restore"]).meta({
    id: "CheckpointReason",
    description: "`restore`: the directory before a checkpoint was restored",
  }),
);
export type CheckpointReason = Infer<typeof CheckpointReason>;

export const Checkpoint = lazy(() =>
  z
    .object({
      checkpointId: z.string(),
      reason: CheckpointReason(),
      turn: z.int().nullable().meta({ description: "Number of the turn, if the checkpoint was made for a turn" }),
      title: z.string().nullable(),
      tree: z.string().meta({ description: "Two checkpoints with the same tree have the same files" }),
      createdAt: z.number().meta({ description: "Epoch milliseconds" }),
    })
    .meta({ id: "Checkpoint" }),
);
export type Checkpoint = Infer<typeof Checkpoint>;

export const CheckpointList = lazy(() =>
  z.object({ checkpoints: z.array(Checkpoint()) }).meta({ id: "CheckpointList" }),
);

export const CreateCheckpointRequest = lazy(() =>
  z.object({ title: z.string().max(1000).nullish() }).meta({ id: "CreateCheckpointRequest" }),
);

export const RestoreResponse = lazy(() =>
  z
    .object({
      restored: Checkpoint(),
      undo: Checkpoint().meta({ description: "The directory before the restore; restore this checkpoint to undo it" }),
    })
    .meta({ id: "RestoreResponse" }),
);

export const DiffFile = lazy(() =>
  z
    .object({
      path: z.string(),
      kind: FileChangeKind(),
      from: z.string().optional(),
      additions: z.int(),
      deletions: z.int(),
      binary: z.boolean(),
    })
    .meta({ id: "DiffFile" }),
);
export type DiffFile = Infer<typeof DiffFile>;

export const DiffResponse = lazy(() =>
  z
    .object({
      files: z.array(DiffFile()),
      diff: z.string().meta({ description: "Unified diff, renames in git's format" }),
      truncated: z
        .boolean()
        .meta({ description: "Whether the diff was cut because it is too long; `files` is complete" }),
    })
    .meta({ id: "DiffResponse" }),
);
export type DiffResponse = Infer<typeof DiffResponse>;
