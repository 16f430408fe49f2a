/** `chat` and `attach`: a conversation in the terminal, in a new or an existing session. */
import type { Command } from "commander";
import { follow } from "../conversation/follow.ts";
import type { Remote } from "../conversation/remote.ts";
import { createRequests } from "../conversation/requests.ts";
import { addNewSessionOptions, createRemote, existingRemote, type NewSessionOptions } from "../conversation/start.ts";
import { createEventPrinter, printEventAsJson, reportRejection } from "../conversation/terminal.ts";
import { createTerminalInput, interactiveInput, type TerminalInput } from "../conversation/terminal-input.ts";
import { withDaemon } from "../daemon/reach.ts";
import { printError } from "../print.ts";

export function addChat(program: Command): void {
  const chat = program.command("chat").description("Chat with an agent in the terminal");
  addNewSessionOptions(chat).addHelpText("after", help);
  chat.action((options: NewSessionOptions) =>
    withDaemon(chat, async (client) => {
      const remote = await createRemote(client, options);
      const input = createTerminalInput(process.stdin, process.stderr);
      await printError(`${options.agent}, session ${remote.sessionId}. /abort stops the agent, /exit leaves.`);
      await talk(remote, input, { past: 0, json: false });
    }),
  );

  const attach = program
    .command("attach <session-id>")
    .description("Follow a session and send messages to it")
    .option("--json", "print the events, one per line");
  attach.addHelpText("after", help).action((sessionId: string, { json = false }: { json?: boolean }) =>
    withDaemon(attach, async (client) => {
      const remote = await existingRemote(client, sessionId);
      const input = json ? null : interactiveInput(process.stdin, process.stderr);
      await talk(remote, input, { past: remote.lastSequence, json });
    }),
  );
}

/** Runs until the user leaves or the session ends. Without input, the session is only shown. */
async function talk(
  remote: Remote,
  input: TerminalInput | null,
  { past, json }: { past: number; json: boolean },
): Promise<void> {
  const leave = new AbortController();
  /** Whether a turn runs. */
  let running = false;
  let unanswered = 0;
  let inputEnded = false;
  const isBusy = () => running || unanswered > 0;
  input?.onLine((line) => void onLine(line.trim()).catch((error: Error) => printError(`error: ${error.message}`)));
  input?.onInterrupt(() => (isBusy() ? void remote.abort() : leave.abort()));
  void input?.ended.then(() => {
    inputEnded = true;
    if (!isBusy()) leave.abort();
  });

  async function onLine(line: string): Promise<void> {
    if (line === "/exit" || line === "/quit") return leave.abort();
    if (line === "/abort") return remote.abort();
    if (line === "") return input?.prompt();
    unanswered += 1;
    await remote.send(line).catch((error: unknown) => {
      unanswered -= 1;
      throw error;
    });
  }

  function onTurnEnded(isLive: boolean): void {
    running = false;
    unanswered = Math.max(0, unanswered - 1);
    if (inputEnded && !isBusy()) return leave.abort();
    if (isLive) input?.prompt();
  }

  const show = json ? printEventAsJson : createEventPrinter({ users: input === null || past > 0 });
  await follow(remote, {
    past,
    show(event) {
      show(event);
      if (event.type === "turn.started") running = true;
      if (event.type === "turn.ended") onTurnEnded(event.sequence > past);
    },
    requests: createRequests(remote, input, reportRejection),
    onLive: () => running || input?.prompt(),
    onReset() {
      running = false;
      unanswered = 0;
      void printError("note: the daemon's event log was replaced; the session is shown again from its first event");
    },
    isLast: ({ type }) => type === "session.ended",
    signal: leave.signal,
  });
  input?.close();
}

const help = `
Every line is sent as a message; while the agent is busy, messages are queued. Ctrl-C stops the agent; when it is idle, Ctrl-C
leaves. Leaving does not end the session: return to it with \`attach\`.`;
