/** Tool calls and their results: an item each, the result with the files it touched. */
import * as z from "zod";
import type { Draft } from "../../draft.ts";
import { completed, resultId, toolCall, toolResult } from "../../item-drafts.ts";
import { parseJson } from "../../json.ts";
import { fileParts } from "./files.ts";
import type { ToolResultBlock, ToolUseBlock } from "./native.ts";

/** A refused call counts as failed, also where Amp does not mark it as an error. */
const refused = /^Tool rejected by plugin: /;

/** Amp's shell, in both generations of the program. A command that failed is no error for it; its exit code says otherwise. */
const shells = new Set(["Bash", "shell_command"]);
const ShellOutput = z.object({ exitCode: z.number() });

/** 0 where there is none: the command goes on in the background. */
function exitCodeIn(content: string): number {
  return ShellOutput.safeParse(parseJson(content)).data?.exitCode ?? 0;
}

export function createToolCalls() {
  const running = new Map<string, ToolUseBlock>();

  return {
    called(block: ToolUseBlock, parent: string | null, raw: unknown): Draft {
      const { id, name, input } = block;
      running.set(id, block);
      return completed(toolCall({ id, parent }, name, JSON.stringify(input ?? {})), raw);
    },

    finished({ tool_use_id: id, content, is_error }: ToolResultBlock, parent: string | null, raw: unknown): Draft {
      const call = running.get(id);
      running.delete(id);
      const failed =
        is_error === true || refused.test(content) || (shells.has(call?.name ?? "") && exitCodeIn(content) !== 0);
      const files = call && !failed ? fileParts(call.name, call.input, content) : [];
      return completed(toolResult({ id: resultId(id), parent }, id, content, files), raw, { failed });
    },

    /** The newest running call with that name and input: not every build tells the id with its question. */
    find(name: string, input: unknown): string | null {
      const same = [...running.values()].filter((call) => call.name === name && Bun.deepEquals(call.input, input));
      return same.at(-1)?.id ?? null;
    },

    reset(): void {
      running.clear();
    },
  };
}
