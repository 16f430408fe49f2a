/** Tool calls and their results, one item each. Results include the changed files. */
import * as z from "zod";
import type { Draft } from "../../draft.ts";
import { completed, resultId, toolCall, toolResult } from "../../item-drafts.ts";
import { parseJson } from "../../json.ts";
import { fileParts } from "./files.ts";
import type { ToolResultBlock, ToolUseBlock } from "./native.ts";

/** A rejected call counts as failed, even if Amp does not mark it as an error. */
const rejected = /^Tool rejected by plugin: /;

/** Amp's shell tools in both generations. Amp does not mark a failed command as an error; the exit code decides. */
const shells = new Set(["Bash", "shell_command"]);
const ShellOutput = z.object({ exitCode: z.number() });

/** 0 if there is none: the command continues in the background. */
function exitCodeIn(content: string): number {
  return ShellOutput.safeParse(parseJson(content)).data?.exitCode ?? 0;
}

export function createToolCalls() {
  const running = new Map<string, ToolUseBlock>();

  return {
    onCall(block: ToolUseBlock, parent: string | null, raw: unknown): Draft {
      const { id, name, input } = block;
      running.set(id, block);
      return completed(toolCall({ id, parent }, name, JSON.stringify(input ?? {})), raw);
    },

    onResult({ tool_use_id: id, content, is_error }: ToolResultBlock, parent: string | null, raw: unknown): Draft {
      const call = running.get(id);
      running.delete(id);
      const failed =
        is_error === true || rejected.test(content) || (shells.has(call?.name ?? "") && exitCodeIn(content) !== 0);
      const files = call && !failed ? fileParts(call.name, call.input, content) : [];
      return completed(toolResult({ id: resultId(id), parent }, id, content, files), raw, { failed });
    },

    /** The latest running call with this name and input: not every build sends the id with its request. */
    find(name: string, input: unknown): string | null {
      const same = [...running.values()].filter((call) => call.name === name && Bun.deepEquals(call.input, input));
      return same.at(-1)?.id ?? null;
    },

    reset(): void {
      running.clear();
    },
  };
}
