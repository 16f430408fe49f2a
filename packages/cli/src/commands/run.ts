/** `run`: one prompt, one turn. The exit code is 0 if the turn completed. */
import type { UniversalEvent } from "@sandbox-agent/schema";
import type { Command } from "commander";
import { follow } from "../conversation/follow.ts";
import { createRequests } from "../conversation/requests.ts";
import { addNewSessionOptions, createRemote, type NewSessionOptions } from "../conversation/start.ts";
import { createEventPrinter, printEventAsJson, reportRejection } from "../conversation/terminal.ts";
import { interactiveInput } from "../conversation/terminal-input.ts";
import { withDaemon } from "../daemon/reach.ts";
import { Failure, usageError } from "../failure.ts";
import { stopRequested } from "../stop-signals.ts";

interface RunOptions extends NewSessionOptions {
  json?: true;
}

export function addRun(program: Command): void {
  const command = program
    .command("run [prompt]")
    .description("Run one prompt with an agent and show its work")
    .option("--json", "print the events, one per line");
  addNewSessionOptions(command).addHelpText("after", help);
  command.action(async (prompt: string | undefined, options: RunOptions) => {
    const text = prompt ?? (process.stdin.isTTY ? "" : await Bun.stdin.text());
    if (text.trim() === "")
      throw usageError('a prompt is required: `sandbox-agent run --agent claude "Fix the failing test"`');
    await withDaemon(command, async (client) => {
      const remote = await createRemote(client, options);
      const input = options.json ? null : interactiveInput(process.stdin, process.stderr);
      // The end of the turn is still shown. A second signal ends the program.
      void stopRequested().then(() => remote.abort());
      input?.onInterrupt(() => void remote.abort());
      await remote.send(text);
      const lost = new AbortController();
      const last = await follow(remote, {
        past: 0,
        show: options.json ? printEventAsJson : createEventPrinter({ users: false }),
        requests: createRequests(remote, input, reportRejection),
        isLast: ({ type }) => type === "turn.ended" || type === "session.ended",
        onReset: () => lost.abort(),
        signal: lost.signal,
      });
      input?.close();
      const reason = last ? endOf(last) : "the daemon's event log was replaced and no longer contains it";
      if (reason !== "completed") throw new Failure(`the turn did not complete: ${reason}`);
    });
  });
}

function endOf(event: UniversalEvent): string {
  if (event.type === "turn.ended") return event.data.metadata?.reason ?? "completed";
  return event.type === "session.ended" ? (event.data.message ?? event.data.reason) : event.type;
}

const help = `
The agent's answer goes to standard output, everything else to standard error. Permissions and questions are asked in the
terminal. Without a terminal they are rejected; use --permission-mode to allow actions beforehand. If no daemon is running, one
is started for the duration of the command.

Examples:
  $ sandbox-agent run --agent claude "Fix the failing test"
  $ sandbox-agent run -a codex -p acceptEdits --directory ./repo "Add a changelog entry" > answer.txt
  $ git diff | sandbox-agent run -a claude -p plan --json`;
