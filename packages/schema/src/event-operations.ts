/** The operations that read events: pages of history and live streams. */
import * as z from "zod";
import { InstallProgressEvent } from "./agent.ts";
import { UniversalEvent } from "./event.ts";
import { lazy } from "./lazy.ts";
import type { Operation } from "./operations.ts";
import { ProcessEvent } from "./processes.ts";
import { booleanQuery, integerQuery } from "./query.ts";

/** Frames of the stream of all sessions. */
export const GlobalEvent = lazy(() =>
  z.union([UniversalEvent(), InstallProgressEvent(), ProcessEvent()]).meta({ id: "GlobalEvent" }),
);

export const EventPage = lazy(() =>
  z
    .object({
      events: z.array(UniversalEvent()),
      hasMore: z.boolean(),
      reset: z.literal(true).optional().meta({
        description: "Only when `offset` is beyond the end or belongs to another log: start again from 0",
      }),
    })
    .meta({ id: "EventPage" }),
);

export const includeRaw = lazy(() => booleanQuery().optional().describe("Add the agent's own messages as `raw`"));
const offset = lazy(() => integerQuery().optional().describe("Last sequence already seen; 0 means from the beginning"));
const log = lazy(() =>
  z.string().optional().describe("The `Sandbox-Agent-Log` header of the response that the cursor was read from"),
);
const logDescription =
  "The `Sandbox-Agent-Log` response header is the id of the log: another data directory behind the same address has another one.";
const resetDescription =
  "A cursor that is beyond the end, or whose `log` is not the id of this log, is answered with a frame `event: reset` (`reason`: `beyond_end` or `other_log`, `log`: the id of this one) and then everything from the first event on.";
const lastEventId = { "Last-Event-ID": "Same as `offset`; the larger of both wins" };
const session = "/v1/sessions/{session_id}";

export const eventOperations = {
  getEvents: {
    method: "GET",
    path: `${session}/events`,
    tag: "events",
    scopes: ["read"],
    summary: "A page of a session's events",
    description: `${logDescription} An \`offset\` beyond the end, or of another log than \`log\`, is answered with an empty page and \`reset\`.`,
    query: lazy(() =>
      z.object({
        offset: offset(),
        log: log(),
        limit: integerQuery().optional().describe("At most this many; default: all"),
        include_raw: includeRaw(),
      }),
    ),
    success: { status: 200, json: EventPage },
    problems: ["session_not_found"],
  },
  streamEvents: {
    method: "GET",
    path: `${session}/events/sse`,
    tag: "events",
    scopes: ["read"],
    summary: "A session's events, past and live",
    description: `${logDescription} ${resetDescription}`,
    headers: lastEventId,
    query: lazy(() => z.object({ offset: offset(), log: log(), include_raw: includeRaw() })),
    success: { status: 200, events: true },
    problems: ["session_not_found"],
  },
  streamAllEvents: {
    method: "GET",
    path: "/v1/events/sse",
    tag: "events",
    scopes: ["read"],
    forSomeSessions: true,
    summary: "The events of all sessions on one stream",
    description:
      "Live from now on; the `Last-Event-ID` response header is the current position. With `Last-Event-ID` or `offset` (the `id` of a frame of this stream, or 0 for everything kept) it continues after that frame. Frames without an `id` are not stored: `install.progress` (InstallProgressEvent) and `process.started`, `process.exited`, `process.deleted` (ProcessEvent). " +
      `${logDescription} ${resetDescription}`,
    headers: { "Last-Event-ID": "The `id` of the last frame seen" },
    query: lazy(() =>
      z.object({
        offset: z
          .string()
          .regex(/^\d{1,15}(\.\d{1,15})?$/, "must be the id of a frame of this stream, or 0")
          .optional()
          .describe("The `id` of the last frame seen, or 0 for everything kept"),
        log: log(),
        include_raw: includeRaw(),
      }),
    ),
    success: { status: 200, events: GlobalEvent },
  },
} as const satisfies Record<string, Operation>;
