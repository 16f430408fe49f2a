/**
 * Stands between the daemon and an agent's program: passes on every line of standard input and output, and writes each into a
 * recording. `between.ts <file> <1 if descriptor 3 is to be passed on> <program> [argument…]`
 */
import { appendFileSync, existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";

const [base = "", inherits = "0", ...command] = process.argv.slice(2);
const start = performance.now();

/** Opened with the first message: a program that is only asked for its version leaves nothing. */
let file: string | null = null;

function record(dir: "in" | "out" | "exit", msg: unknown): void {
  if (dir === "in") file ??= freeName();
  if (file) appendFileSync(file, `${JSON.stringify({ dir, t: Math.round(performance.now() - start), msg })}\n`);
}

/** Each process of a session has a file of its own: `name.jsonl`, `name.2.jsonl` and so on. */
function freeName(): string {
  for (let number = 1; ; number++) {
    const name = `${base}${number === 1 ? "" : `.${number}`}.jsonl`;
    if (!existsSync(name)) return name;
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return { raw: line };
  }
}

const child = Bun.spawn(command, { stdio: ["pipe", "pipe", "inherit", ...(inherits === "1" ? [3] : [])] });
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));

createInterface({ input: process.stdin })
  .on("line", (line) => {
    record("in", parsed(line));
    child.stdin.write(`${line}\n`);
    child.stdin.flush();
  })
  .on("close", () => child.stdin.end());

for await (const line of createInterface({ input: Readable.fromWeb(child.stdout) })) {
  record("out", parsed(line));
  process.stdout.write(`${line}\n`);
}
const code = await child.exited;
record("exit", { code: child.signalCode ? null : code, signal: child.signalCode });
process.exit(code);
