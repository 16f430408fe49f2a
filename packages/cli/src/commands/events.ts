/** `api sessions events | events-sse`: stored and live events of a session. */
import type { Command } from "commander";
import { addOperation } from "../operation-command.ts";
import { wholeNumber } from "../option-values.ts";

interface EventOptions {
  offset?: number;
  limit?: number;
  includeRaw?: true;
}

export function addEvents(sessions: Command): void {
  const page = addOperation(sessions, {
    operation: "getEvents",
    usage: "events <session-id>",
    request: (session_id: string, { offset, limit, includeRaw }: EventOptions) => ({
      params: { session_id },
      query: { offset, limit, include_raw: includeRaw },
    }),
  }).alias("get-messages");
  addEventOptions(page).option("-l, --limit <n>", "at most this many (default: all)", wholeNumber());

  const stream = addOperation(sessions, {
    operation: "streamEvents",
    usage: "events-sse <session-id>",
    request: (session_id: string, { offset, includeRaw }: Omit<EventOptions, "limit">) => ({
      params: { session_id },
      query: { offset, include_raw: includeRaw },
    }),
  });
  addEventOptions(stream);
}

function addEventOptions(command: Command): Command {
  return command
    .option("-o, --offset <n>", "last sequence already seen (default: 0, from the beginning)", wholeNumber())
    .option("--include-raw", "add the agent's own messages as `raw`");
}
