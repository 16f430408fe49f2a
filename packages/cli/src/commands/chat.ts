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
  let running = false;
  person?.onLine((line) => void take(line.trim()).catch((error: Error) => printError(`error: ${error.message}`)));
  person?.onInterrupt(() => (running ? void remote.abort() : leave.abort()));
  void person?.gone.then(() => (running ? null : leave.abort()));

  async function take(line: string): Promise<void> {
    if (line === "/exit" || line === "/quit") return leave.abort();
    if (line === "/abort") return remote.abort();
    if (line === "") return person?.invite();
    await remote.send(line);
  }

  const show = json ? printEvents : showEvents({ users: person === null || past > 0 });
  await follow(remote, {
    past,
    show(event) {
      show(event);
      if (event.type === "turn.started") running = true;
      if (event.type !== "turn.ended") return;
      running = false;
      if (event.sequence > past) person?.invite();
    },
    requests: createRequests(remote, person, noteRefusal),
    onPresent: () => running || person?.invite(),
    isLast: ({ type }) => type === "session.ended",
    signal: leave.signal,
  });
  person?.close();
}

const help = `
Every line is a message; while the agent works it waits for its turn. Ctrl-C stops the agent, and leaves when it rests.
Leaving does not end the session: \`attach\` comes back to it.`;
