/** Searches content with ripgrep, with options that match the rules of our own search. */
import { LineSplitter } from "@sandbox-agent/agents";
import { type Infer, lazy, type SearchMatch } from "@sandbox-agent/schema";
import * as z from "zod";
import { join } from "../place.ts";
import { maxFileBytes, shown } from "./query.ts";

const Text = lazy(() => z.object({ text: z.string() }));
const Match = lazy(() =>
  z.object({
    type: z.literal("match"),
    data: z.object({
      path: Text(),
      lines: Text(),
      line_number: z.int(),
      submatches: z.array(z.object({ start: z.int() })),
    }),
  }),
);

const options = [
  ["--json", "--fixed-strings", "--smart-case", "--sort=path", `--max-filesize=${maxFileBytes}`],
  ["--no-config", "--hidden", "--glob=!.git", "--no-require-git", "--no-ignore-global"],
  ["--no-ignore-exclude", "--no-ignore-dot", "--no-messages"],
].flat();

export async function* ripgrepMatches(
  program: string,
  directory: string,
  query: string,
  signal: AbortSignal,
): AsyncGenerator<SearchMatch> {
  const child = Bun.spawn([program, ...options, "--regexp", query, "./"], {
    cwd: directory,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
    signal,
  });
  try {
    for await (const line of linesOf(child.stdout)) {
      const match = Match().safeParse(JSON.parse(line));
      if (match.success) yield matchOf(directory, match.data.data);
    }
  } finally {
    child.kill();
    await child.exited;
  }
}

function matchOf(
  directory: string,
  { path, lines, line_number, submatches }: Infer<typeof Match>["data"],
): SearchMatch {
  const before = Buffer.from(lines.text).subarray(0, submatches[0]?.start ?? 0);
  return {
    path: join(directory, path.text.replace(/^\.\//, "")),
    line: line_number,
    column: before.toString().length + 1,
    text: shown(lines.text.replace(/\r?\n$/, "")),
  };
}

async function* linesOf(output: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const splitter = new LineSplitter();
  for await (const chunk of output) yield* splitter.push(chunk);
  yield* splitter.finish();
}
