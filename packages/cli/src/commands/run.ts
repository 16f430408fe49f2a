/** `run`: one prompt, one turn, and an exit code that tells how it went. */
import type { UniversalEvent } from "@sandbox-agent/schema";
import type { Command } from "commander";
import { follow } from "../conversation/follow.ts";
import { personAtTerminal } from "../conversation/person.ts";
import { createRequests } from "../conversation/requests.ts";
import { addNewSessionOptions, createRemote, type NewSessionOptions } from "../conversation/start.ts";
import { noteRefusal, printEvents, showEvents } from "../conversation/terminal.ts";
import { withDaemon } from "../daemon/reach.ts";
import { Failure, usageError } from "../failure.ts";
import { stopRequested } from "../stop-signals.ts";

interface RunOptions extends NewSessionOptions {
  json?: true;
}

export function addRun(program: Command): void {
  const command = program
    .command("run [prompt]")
    .description("Have an agent do one thing, and show how it does it")
    .option("--json", "print the events, one per line");
  addNewSessionOptions(command).addHelpText("after", help);
  command.action(async (prompt: string | undefined, options: RunOptions) => {
    const text = prompt ?? (process.stdin.isTTY ? "" : await Bun.stdin.text());
    if (text.trim() === "")
      throw usageError('say what to do: `sandbox-agent run --agent claude "Fix the failing test"`');
    await withDaemon(command, async (client) => {
      const remote = await createRemote(client, options);
      const person = options.json ? null : personAtTerminal(process.stdin, process.stderr);
      // The turn's end is then shown; a second request to stop ends the program.
      void stopRequested().then(() => remote.abort());
      person?.onInterrupt(() => void remote.abort());
      await remote.send(text);
      const lost = new AbortController();
      const last = await follow(remote, {
        past: 0,
        show: options.json ? printEvents : showEvents({ users: false }),
        requests: createRequests(remote, person, noteRefusal),
        isLast: ({ type }) => type === "turn.ended" || type === "session.ended",
        onReset: () => lost.abort(),
        signal: lost.signal,
      });
      person?.close();
      const reason = last ? endOf(last) : "the daemon has another log now, in which there is no such turn";
      if (reason !== "completed") throw new Failure(`the turn did not complete: ${reason}`);
    });
  });
}

function endOf(event: UniversalEvent): string {
  if (event.type === "turn.ended") return event.data.metadata?.reason ?? "completed";
  return event.type === "session.ended" ? (event.data.message ?? event.data.reason) : event.type;
}

const help = `
The agent's words go to standard output, everything else to standard error. Permissions and questions are asked in the
terminal; where there is none they are refused, so say beforehand what the agent may do. Without a daemon at the default
address one is started for the time of the command.

Examples:
  $ sandbox-agent run --agent claude "Fix the failing test"
  $ sandbox-agent run -a codex -p acceptEdits --directory ./repo "Add a changelog entry" > answer.txt
  $ git diff | sandbox-agent run -a claude -p plan --json`;
