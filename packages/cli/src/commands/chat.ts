/** `chat` and `attach`: a conversation at the terminal, in a new session or in one that exists. */
import type { Command } from "commander";
import { follow } from "../conversation/follow.ts";
import { createPerson, type Person, personAtTerminal } from "../conversation/person.ts";
import type { Remote } from "../conversation/remote.ts";
import { createRequests } from "../conversation/requests.ts";
import { addNewSessionOptions, createRemote, existingRemote, type NewSessionOptions } from "../conversation/start.ts";
import { noteRefusal, printEvents, showEvents } from "../conversation/terminal.ts";
import { withDaemon } from "../daemon/reach.ts";
import { printError } from "../print.ts";

export function addChat(program: Command): void {
  const chat = program.command("chat").description("Talk with an agent in the terminal");
  addNewSessionOptions(chat).addHelpText("after", help);
  chat.action((options: NewSessionOptions) =>
    withDaemon(chat, async (client) => {
      const remote = await createRemote(client, options);
      const person = createPerson(process.stdin, process.stderr);
      await printError(`${options.agent}, session ${remote.sessionId}; /abort stops it, /exit leaves`);
      await talk(remote, person, { past: 0, json: false });
    }),
  );

  const attach = program
    .command("attach <session-id>")
    .description("Watch a session, and take part in it")
    .option("--json", "print the events, one per line");
  attach.addHelpText("after", help).action((sessionId: string, { json = false }: { json?: boolean }) =>
    withDaemon(attach, async (client) => {
      const remote = await existingRemote(client, sessionId);
      const person = json ? null : personAtTerminal(process.stdin, process.stderr);
      await talk(remote, person, { past: remote.lastSequence, json });
    }),
  );
}

/** Until the person leaves or the session ends. Without a person it is only watched. */
async function talk(
  remote: Remote,
  person: Person | null,
  { past, json }: { past: number; json: boolean },
): Promise<void> {
  const leave = new AbortController();
  /** A turn runs, or a message waits for one. */
  let running = false;
  let unanswered = 0;
  let inputEnded = false;
  const isBusy = () => running || unanswered > 0;
  person?.onLine((line) => void take(line.trim()).catch((error: Error) => printError(`error: ${error.message}`)));
  person?.onInterrupt(() => (isBusy() ? void remote.abort() : leave.abort()));
  void person?.gone.then(() => {
    inputEnded = true;
    if (!isBusy()) leave.abort();
  });

  async function take(line: string): Promise<void> {
    if (line === "/exit" || line === "/quit") return leave.abort();
    if (line === "/abort") return remote.abort();
    if (line === "") return person?.invite();
    unanswered += 1;
    await remote.send(line).catch((error: unknown) => {
      unanswered -= 1;
      throw error;
    });
  }

  function turnEnded(isNews: boolean): void {
    running = false;
    unanswered = Math.max(0, unanswered - 1);
    if (inputEnded && !isBusy()) return leave.abort();
    if (isNews) person?.invite();
  }

  const show = json ? printEvents : showEvents({ users: person === null || past > 0 });
  await follow(remote, {
    past,
    show(event) {
      show(event);
      if (event.type === "turn.started") running = true;
      if (event.type === "turn.ended") turnEnded(event.sequence > past);
    },
    requests: createRequests(remote, person, noteRefusal),
    onPresent: () => running || person?.invite(),
    onReset() {
      running = false;
      unanswered = 0;
      void printError("note: the daemon has another log of this session now; it follows from its first event on");
    },
    isLast: ({ type }) => type === "session.ended",
    signal: leave.signal,
  });
  person?.close();
}

const help = `
Every line is a message; while the agent works it waits for its turn. Ctrl-C stops the agent, and leaves when it rests.
Leaving does not end the session: \`attach\` comes back to it.`;
