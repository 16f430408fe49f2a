/** `api sessions …`: listing, watching and ending sessions. Creating, messages, events and requests have their own files. */
import { SessionList, WaitCondition } from "@sandbox-agent/schema";
import { type Command, InvalidArgumentError } from "commander";
import { addOperation } from "../operation-command.ts";
import { wholeNumber } from "../option-values.ts";
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

export function addSessions(parent: Command, description: string): void {
  const sessions = parent.command("sessions").description(description);
  addOperation(sessions, {
    operation: "listSessions",
    usage: "list",
    request: () => ({ params: {} }),
    table: sessionTable,
  });
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
    .option(
      "--until <conditions>",
      "idle, request or ended, or several of them with commas (default: idle)",
      conditions,
    )
    .option("--timeout-ms <n>", "give up after this long (default: 30000)", wholeNumber(0, 600_000));
}

function conditions(text: string): string {
  if (text.split(",").every((word) => WaitCondition.safeParse(word).success)) return text;
  throw new InvalidArgumentError(`Allowed are ${WaitCondition.options.join(", ")}, separated by commas.`);
}

function sessionTable(value: unknown): Table {
  const { sessions } = SessionList.parse(value);
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
