/** `api sessions …`: list, wait for and end sessions. Creation, messages, events and requests are in other files. */
import { SessionList, SessionStatus, WaitCondition } from "@sandbox-agent/schema";
import { type Command, InvalidArgumentError } from "commander";
import { addOperation } from "../operation-command.ts";
import { path, wholeNumber } from "../option-values.ts";
import type { Table } from "../table.ts";
import { addChanges } from "./changes.ts";
import { addEvents } from "./events.ts";
import { addMessages } from "./messages.ts";
import { addRequests } from "./requests.ts";
import { addCreateSession, addForkSession, addUpdateSession } from "./session-settings.ts";

interface WaitOptions {
  until?: string;
  timeoutMs?: number;
}

interface ListOptions {
  limit?: number;
  cursor?: string;
  agent?: string;
  status?: string;
  directory?: string;
}

export function addSessions(parent: Command, description: string): void {
  const sessions = parent.command("sessions").description(description);
  addOperation(sessions, {
    operation: "listSessions",
    usage: "list",
    request: ({ limit, cursor, agent, status, directory }: ListOptions) => ({
      params: {},
      query: { limit, cursor, agent, status, directory },
    }),
    table: sessionTable,
  })
    .option("-l, --limit <n>", "at most this many (default: all)", wholeNumber(1))
    .option("--cursor <cursor>", "continue a list: `nextCursor` of the previous page")
    .option("-a, --agent <agent>", "only sessions of this agent")
    .option(
      "--status <statuses>",
      "only sessions with these statuses: idle, running, waiting, ended; separated by commas",
      statuses,
    )
    .option("--directory <path>", "only sessions with this directory", path);
  addCreateSession(sessions);
  addOperation(sessions, {
    operation: "getSession",
    usage: "get <session-id>",
    request: (session_id: string) => ({ params: { session_id } }),
  });
  addUpdateSession(sessions);
  addForkSession(sessions);
  addMessages(sessions);
  addWait(sessions);
  addEvents(sessions);
  addOperation(sessions, {
    operation: "getTranscript",
    usage: "transcript <session-id>",
    request: (session_id: string) => ({ params: { session_id } }),
  });
  addRequests(sessions);
  addChanges(sessions);
  addOperation(sessions, {
    operation: "terminateSession",
    usage: "terminate <session-id>",
    request: (session_id: string) => ({ params: { session_id } }),
  });
  addOperation(sessions, {
    operation: "deleteSession",
    usage: "delete <session-id>",
    request: (session_id: string) => ({ params: { session_id } }),
  });
}

function addWait(sessions: Command): void {
  addOperation(sessions, {
    operation: "waitForSession",
    usage: "wait <session-id>",
    request: (session_id: string, { until, timeoutMs }: WaitOptions) => ({
      params: { session_id },
      query: { until, timeout_ms: timeoutMs },
    }),
  })
    .option("--until <conditions>", "idle, request, ended; separated by commas (default: idle)", conditions)
    .option("--timeout-ms <n>", "maximum time to wait (default: 30000)", wholeNumber(0, 600_000));
}

const conditions = listOf(WaitCondition().options);
const statuses = listOf(SessionStatus().options);

function listOf(allowed: readonly string[]): (text: string) => string {
  return (text) => {
    if (text.split(",").every((word) => allowed.includes(word))) return text;
    throw new InvalidArgumentError(`Allowed values are ${allowed.join(", ")}, separated by commas.`);
  };
}

function sessionTable(value: unknown): Table {
  const { sessions } = SessionList().parse(value);
  return {
    columns: ["SESSION", "AGENT", "MODEL", "STATUS", "EVENTS", "UPDATED", "TITLE"],
    rows: sessions.map((session) => [
      session.sessionId,
      session.agent,
      session.model ?? "-",
      session.status,
      String(session.eventCount),
      new Date(session.updatedAt).toLocaleString("sv-SE"),
      session.title ?? "",
    ]),
    empty: "No sessions. Create one with `sandbox-agent sessions create <id> --agent <agent>`.",
  };
}
