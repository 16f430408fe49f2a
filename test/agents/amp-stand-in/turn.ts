/**
 * One turn of the scripted model, by markers in the message: THINK, SAY[text], RUN[command], CALL[tool {input}],
 * WAIT[ms], ERRnnn, RECALL, IMAGES. Commands and patches are really carried out.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Call, Verdict } from "./permissions.ts";
import type { Recorded } from "./recorded.ts";
import type { Thread } from "./threads.ts";

export interface TurnContext {
  recorded: Recorded;
  thread: Thread;
  write(line: object): void;
  ask(call: Call): Promise<Verdict>;
  /** Aborted when a new message interrupts what runs. */
  interrupted: AbortSignal;
}

/** The last words, or the failure that ends the run. */
export type TurnEnd = { said: string } | { failure: string };

export async function playTurn(text: string, images: number, context: TurnContext): Promise<TurnEnd> {
  const { recorded, thread, write } = context;
  const status = /\bERR(\d{3})\b/.exec(text)?.[1];
  if (status) return { failure: `${status} {"type":"error","error":{"message":"scripted failure ${status}"}}` };
  const thoughts = text.includes("THINK") ? [{ type: "thinking", thinking: "Considering the request." }] : [];
  for (const call of callsIn(text, recorded)) {
    write(recorded.toolUse([...thoughts, { type: "text", text: "Running a command." }, { type: "tool_use", ...call }]));
    const verdict = await context.ask(call);
    const output = verdict.allowed
      ? await carryOut(call, recorded, context.interrupted)
      : recorded.rejection(verdict.words);
    const isCancelled = context.interrupted.aborted;
    write(
      recorded.toolResult(
        call.id,
        isCancelled ? "Tool execution cancelled: user:interrupted" : output,
        !verdict.allowed || isCancelled,
      ),
    );
    if (isCancelled) return { said: "" };
  }
  const said = words(text, images, thread);
  write(recorded.answer([...thoughts, { type: "text", text: said }]));
  return { said };
}

function words(text: string, images: number, { heard }: Thread): string {
  if (text.includes("RECALL")) return `You said: ${heard[0]}`;
  if (text.includes("IMAGES")) return `${images} image`;
  return /SAY\[([^\]]*)\]/.exec(text)?.[1] ?? "Hello from the scripted model.";
}

function callsIn(text: string, { shell }: Recorded): Call[] {
  return [...text.matchAll(/\b(RUN|WAIT|CALL)\[(.*?)\](?= |$)/gs)].map(([, kind, body = ""]) => {
    const id = `TU-${crypto.randomUUID()}`;
    if (kind === "WAIT") return { id, name: "Grep", input: { pattern: "x", milliseconds: Number(body) } };
    if (kind === "RUN") return { id, name: shell.name, input: { ...shell.input, command: body, cmd: body } };
    const [name = "", ...rest] = body.split(" ");
    return { id, name, input: JSON.parse(rest.join(" ")) };
  });
}

async function carryOut({ name, input }: Call, { shell }: Recorded, interrupted: AbortSignal): Promise<string> {
  const field = (key: string) => Object.entries(Object(input)).find(([each]) => each === key)?.[1];
  if (name === shell.name) return run(String(field("command")), interrupted);
  if (name === "apply_patch") return addFile(String(field("patchText")));
  if (name === "Grep") await Bun.sleep(Number(field("milliseconds")));
  return "done";
}

async function run(command: string, signal: AbortSignal): Promise<string> {
  const child = Bun.spawn(["sh", "-c", command], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
    detached: true,
  });
  signal.addEventListener("abort", () => process.kill(-child.pid, "SIGKILL"));
  const output = await new Response(child.stdout).text();
  return JSON.stringify({ output, exitCode: await child.exited });
}

function addFile(patch: string): string {
  const [, path = "", body = ""] = /\*\*\* Add File: (.+)\n([\s\S]*)\*\*\* End Patch/.exec(patch) ?? [];
  const file = resolve(path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, body.replace(/^\+/gm, ""));
  return `Added ${path}`;
}
