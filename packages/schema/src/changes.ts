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
      from: z.string().optional().meta({ description: "The path before, of a file that was renamed" }),
      call_id: z.string().optional().meta({ description: "The tool call that did it, where that is known" }),
    })
    .meta({ id: "FileChange" }),
);
export type FileChange = Infer<typeof FileChange>;

export const FileChangedData = lazy(() =>
  z
    .object({
      turn_id: z.string().meta({ description: "The turn it happened in; its last change may be told after its end" }),
      changes: z.array(FileChange()),
    })
    .meta({ id: "FileChangedData" }),
);
export type FileChangedData = Infer<typeof FileChangedData>;

export const ChangesStatus = lazy(() =>
  z
    .object({
      watching: z.boolean().meta({ description: "Whether changes of files are told as they happen" }),
      checkpoints: z.boolean().meta({ description: "Whether diffs and checkpoints are to be had" }),
      detail: z.string().meta({ description: "Why not, and what to do about it" }),
    })
    .meta({ id: "ChangesStatus" }),
);
export type ChangesStatus = Infer<typeof ChangesStatus>;

export const CheckpointReason = lazy(() =>
  z.enum(["turn_started", "turn_ended", "manual", "restore"]).meta({
    id: "CheckpointReason",
    description: "`restore`: how the directory was before a checkpoint was restored",
  }),
);
export type CheckpointReason = Infer<typeof CheckpointReason>;

export const Checkpoint = lazy(() =>
  z
    .object({
      checkpointId: z.string(),
      reason: CheckpointReason(),
      turn: z.int().nullable().meta({ description: "Number of the turn, of one that was made for a turn" }),
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
      undo: Checkpoint().meta({ description: "How the directory was before; restore it to go back" }),
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
      diff: z.string().meta({ description: "Unified diff, with renames as git writes them" }),
      truncated: z.boolean().meta({ description: "The diff was too long and ends early; `files` is complete" }),
    })
    .meta({ id: "DiffResponse" }),
);
export type DiffResponse = Infer<typeof DiffResponse>;
