/**
 * A stand-in for the `amp` program, whose model loop needs Amp's own service. It speaks the recorded traffic of the real
 * one in both directions and leaves with a complaint on any flag, setting or line that the real one would not take or
 * that the adapter is not meant to send.
 */
import * as z from "zod";
import { readArguments } from "./arguments.ts";
import { readPermissions } from "./permissions.ts";
import { type Build, helpOf, recordedBy } from "./recorded.ts";
import { threadsIn } from "./threads.ts";
import { playTurn } from "./turn.ts";

const Setup = z.object({
  AMP_STAND_IN_BUILD: z.enum(["v1790142911", "v1777266064"]),
  AMP_STAND_IN_THREADS: z.string(),
  /** A flag that this build is to lack. */
  AMP_STAND_IN_LACKS: z.string().default(""),
  AMP_API_KEY: z.string().default(""),
});

const InputLine = z.strictObject({
  type: z.literal("user"),
  message: z.strictObject({
    role: z.literal("user"),
    content: z.array(
      z.discriminatedUnion("type", [
        z.strictObject({ type: z.literal("text"), text: z.string() }),
        z.strictObject({
          type: z.literal("image"),
          source: z.strictObject({ type: z.literal("base64"), media_type: z.string(), data: z.base64() }),
        }),
      ]),
    ),
  }),
});

const setup = Setup.parse(process.env);
const build: Build = setup.AMP_STAND_IN_BUILD;
const isOld = build === "v1777266064";
const recorded = recordedBy(build);
const lacking = setup.AMP_STAND_IN_LACKS;
const help = helpOf(build)
  .split("\n")
  .filter((line) => lacking === "" || !line.startsWith(`  ${lacking}`))
  .join("\n");
const [first] = process.argv.slice(2);

if (first === "--version") say(recorded.version);
else if (first === "--help") say(help);
else await execute();

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The end before a run begins: words on stderr, then the terminal is put in order. */
function leave(message: string): never {
  process.stderr.write(`Error: ${message}\n\n\u001b[=0u\u001b[<u\u001b[?25h`);
  process.exit(1);
}

async function execute(): Promise<void> {
  const args = readArguments(process.argv.slice(2), help);
  if ("unknown" in args) return leave(`error: unknown option '${args.unknown}'`);
  const { values } = args;
  for (const flag of ["--execute", "--stream-json", "--settings-file"]) if (!values.has(flag)) leave(`missing ${flag}`);
  if (setup.AMP_API_KEY === "") return login();
  if (setup.AMP_API_KEY === "bad-key") leave("Invalid or missing API key. Run 'amp login' to authenticate.");
  const threads = threadsIn(setup.AMP_STAND_IN_THREADS);
  const thread = args.threadId ? threads.find(args.threadId) : threads.begin(values.get("--mode") ?? "default");
  if (!thread) return leave(`Thread ${args.threadId} does not exist.`);
  const permissions = { tellsCallId: isOld, threadId: thread.id };
  const ask = readPermissions(values.get("--settings-file") ?? "", permissions);
  const write = (line: object) => say(JSON.stringify({ ...line, session_id: thread.id }));

  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      write(recorded.cancelled());
      process.exit(0);
    });
  write(recorded.init(process.cwd()));

  let lastWords = "";
  const running: { turn: Promise<void>; interrupt: AbortController }[] = [];

  async function play(text: string, images: number, interrupt: AbortController): Promise<void> {
    write(recorded.echo(text));
    if (!thread) return;
    thread.heard.push(text);
    threads.save(thread);
    const end = await playTurn(text, images, { recorded, thread, write, ask, interrupted: interrupt.signal });
    if ("said" in end) lastWords = end.said;
    else {
      write(recorded.failure(end.failure));
      process.exit(0);
    }
  }

  /** The loop in the program gives up what it does for a new message; what the server would do is not known. */
  async function take(text: string, images: number): Promise<void> {
    const [before] = running;
    if (before && !isOld) throw new Error(`a message in the middle of a turn: ${text}`);
    before?.interrupt.abort();
    await before?.turn;
    const interrupt = new AbortController();
    const turn = play(text, images, interrupt);
    running.push({ turn, interrupt });
    void turn.then(() => running.shift());
  }

  if (!values.has("--stream-json-input")) await play((await Bun.stdin.text()).trimEnd(), 0, new AbortController());
  else
    for await (const line of console) {
      const { content } = InputLine.parse(JSON.parse(line)).message;
      const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
      await take(text, content.filter(({ type }) => type === "image").length);
    }
  await running[0]?.turn;
  write(recorded.success(lastWords));
  process.exit(0);
}

/** The real one waits for somebody to paste a code, for ever. */
function login(): Promise<void> {
  say("No API key found. Starting login flow...\n\nWhen prompted, paste your code here: ");
  return new Promise(() => setInterval(() => {}, 60_000));
}
