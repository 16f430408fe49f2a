/**
 * Plays the agent's side of a recorded conversation over ACP, and fails on a line that the other side did not say there.
 * The directory of a session is the only thing that may differ, as may the name and abilities of the client.
 */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { isDeepStrictEqual } from "node:util";

interface Line {
  dir: "in" | "out";
  msg: { id?: number; method?: string; params?: Record<string, unknown>; result?: unknown };
}

const [recording = ""] = process.argv.slice(2);
const lines: Line[] = readFileSync(recording, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

function speak(): void {
  while (lines[0]?.dir === "out") process.stdout.write(`${JSON.stringify(lines.shift()?.msg)}\n`);
}

function comparable({ id, method, params, result }: Line["msg"]): unknown {
  const { cwd: _cwd, clientInfo: _info, clientCapabilities: _abilities, ...rest } = params ?? {};
  return { id, method, params: rest, result };
}

speak();
createInterface({ input: process.stdin }).on("line", (text) => {
  const expected = lines.shift()?.msg;
  const said: Line["msg"] = JSON.parse(text);
  if (!expected || !isDeepStrictEqual(comparable(said), comparable(expected))) {
    process.stderr.write(`unexpected line ${text}, not ${JSON.stringify(expected)}\n`);
    process.exit(1);
  }
  speak();
});
