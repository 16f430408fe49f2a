/**
 * What the real Amp wrote, as the stand-in's words: it takes lines of the recordings and changes only what a scripted
 * model would have chosen, which is the text, the tool and its input, and the ids.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const fixtures = join(import.meta.dirname, "../../fixtures/amp");

const Line = z.looseObject({
  type: z.string(),
  message: z.looseObject({ content: z.array(z.looseObject({})) }).optional(),
});
type Line = z.infer<typeof Line>;

export type Build = "v1790142911" | "v1777266064";

export function helpOf(build: Build): string {
  return readFileSync(join(fixtures, `${build}-help.txt`), "utf8");
}

const versions: Record<Build, string> = {
  v1790142911: "0.0.1790142911-g7618fb (released 2026-09-23T05:55:11.000Z, 1mo ago)",
  v1777266064: "0.0.1777266064-g47b6f7 (released 2026-04-27T05:04:51.642Z, 6mo ago)",
};

/** Recordings that show each kind of line, by build. */
const cancelled: Record<Build, string> = { v1790142911: "sigint-midtool", v1777266064: "sigint" };
const failed: Record<Build, string> = { v1790142911: "error", v1777266064: "error-500" };

export function recordedBy(build: Build) {
  const lines = (name: string): Line[] =>
    readFileSync(join(fixtures, `${build}-${name}.jsonl`), "utf8")
      .trim()
      .split("\n")
      .map((line) => Line.parse(JSON.parse(line)));
  const find = (name: string, type: string, block?: string): Line => {
    const found = lines(name).find(
      (line) => line.type === type && (!block || line.message?.content.some((each) => each.type === block)),
    );
    if (!found) throw new Error(`the recording ${name} of ${build} has no ${type} ${block ?? ""}`);
    return found;
  };
  const withContent = (line: Line, content: unknown[]) => ({ ...line, message: { ...line.message, content } });
  const rejection = z
    .object({ content: z.string() })
    .parse(find("delegate-reject-message", "user", "tool_result").message?.content[0]);

  return {
    version: versions[build],
    /** The tool that runs commands, and what its input looks like. */
    shell: z
      .object({ name: z.string(), input: z.record(z.string(), z.string()) })
      .parse(find("tool", "assistant", "tool_use").message?.content.find(({ type }) => type === "tool_use")),
    init: (cwd: string) => ({ ...find("first-turn", "system"), cwd }),
    echo: (text: string) => withContent(find("first-turn", "user", "text"), [{ type: "text", text }]),
    /** Amp tells images to the model, but not in its echo. */
    answer: (content: unknown[]) => withContent(find("first-turn", "assistant", "text"), content),
    toolUse: (content: unknown[]) => withContent(find("tool", "assistant", "tool_use"), content),
    toolResult: (tool_use_id: string, content: string, is_error = false) =>
      withContent(find("tool", "user", "tool_result"), [{ type: "tool_result", tool_use_id, content, is_error }]),
    /** What the model gets to read when the gate refused, with the words of the gate. */
    rejection: (words: string) => rejection.content.replace("rejected by the operator: not now\n", words),
    success: (result: string) => ({ ...find("first-turn", "result"), result }),
    cancelled: () => find(cancelled[build], "result"),
    failure: (error: string) => ({ ...find(failed[build], "result"), error }),
  };
}

export type Recorded = ReturnType<typeof recordedBy>;
