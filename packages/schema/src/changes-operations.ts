/** Operations on what a session changed in its directory. */
import * as z from "zod";
import { Checkpoint, CheckpointList, CreateCheckpointRequest, DiffResponse, RestoreResponse } from "./changes.ts";
import { lazy } from "./lazy.ts";
import type { Operation } from "./operations.ts";

const session = "/v1/sessions/{session_id}";
const checkpoint = `${session}/checkpoints/{checkpoint_id}` as const;

export const changesOperations = {
  getDiff: {
    method: "GET",
    path: `${session}/diff`,
    tag: "changes",
    scopes: ["read"],
    summary: "What a turn or the whole session changed in its directory",
    description: "A running turn and the whole session are compared with the current files.",
    query: lazy(() =>
      z.object({
        turn: z
          .string()
          .regex(/^(turn_)?[1-9]\d{0,14}$/, "must be the number of a turn")
          .transform((text) => Number(text.replace("turn_", "")))
          .meta({ query: { type: "integer", minimum: 1 } })
          .optional()
          .describe("Number of the turn; default: the whole session"),
      }),
    ),
    success: { status: 200, json: DiffResponse },
    problems: ["session_not_found", "not_found", "checkpoints_unavailable"],
  },
  listCheckpoints: {
    method: "GET",
    path: `${session}/checkpoints`,
    tag: "changes",
    scopes: ["read"],
    summary: "Checkpoints of a session's directory, oldest first",
    success: { status: 200, json: CheckpointList },
    problems: ["session_not_found"],
  },
  createCheckpoint: {
    method: "POST",
    path: `${session}/checkpoints`,
    tag: "changes",
    scopes: ["files"],
    summary: "Create a checkpoint of the files in a session's directory",
    description: "Every turn creates one when it starts and one when it ends.",
    body: CreateCheckpointRequest,
    bodyOptional: true,
    success: { status: 200, json: Checkpoint },
    problems: ["session_not_found", "checkpoints_unavailable"],
  },
  previewCheckpoint: {
    method: "GET",
    path: `${checkpoint}/preview`,
    tag: "changes",
    scopes: ["read"],
    summary: "What restoring a checkpoint would change",
    success: { status: 200, json: DiffResponse },
    problems: ["session_not_found", "not_found", "checkpoints_unavailable"],
  },
  restoreCheckpoint: {
    method: "POST",
    path: `${checkpoint}/restore`,
    tag: "changes",
    scopes: ["files"],
    summary: "Restore the files of the directory from a checkpoint",
    description: "Ignored files and the conversation do not change. Rejected while a turn runs in the directory.",
    success: { status: 200, json: RestoreResponse },
    problems: ["session_not_found", "not_found", "conflict", "checkpoints_unavailable"],
  },
} as const satisfies Record<string, Operation>;
