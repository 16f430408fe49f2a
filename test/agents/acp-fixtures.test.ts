/** Every recording of a real ACP agent, translated: nothing unread, nothing out of order, no word lost. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { checkEvents, type UniversalEvent } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { readChunk, ToolCall, updateIn } from "../../packages/agents/src/acp/native.ts";
import { type Line, readRecording, replay, spokenLines } from "./acp-replay.ts";
import { describeTranslations } from "./translated.ts";

const directory = join(import.meta.dirname, "../fixtures/acp");

describeTranslations("acp", (name) => [replay(readRecording(join(directory, name)))]);

describe.each(readdirSync(directory))("%s", (name) => {
  const lines = readRecording(join(directory, name));
  const events = replay(lines);

  test("gives a well-formed history, read without a remainder", () => {
    expect(checkEvents(events, { finished: true })).toEqual([]);
  });

  test("loses no word", () => {
    const shown = shownText(events);
    expect(saidText(lines).filter((text) => !shown.includes(text.trim()))).toEqual([]);
  });

  test("keeps the native message beside every event of the agent", () => {
    expect(events.filter(({ synthetic, raw }) => !synthetic && raw === undefined)).toEqual([]);
  });
});

/** The texts in what the model said and the tools returned. */
function saidText(lines: readonly Line[]): string[] {
  return spokenLines(lines).flatMap(({ dir, msg }) => {
    const update = updateIn(msg.params);
    if (dir !== "agent" || !update) return [];
    const chunk = /^agent_.*_chunk$/.test(update.sessionUpdate) ? readChunk(update).content.text : null;
    const call = /^tool_call/.test(update.sessionUpdate) ? ToolCall().parse(update) : null;
    const isOver = call?.status === "completed" || call?.status === "failed";
    const output = isOver ? call?.content?.map(({ content }) => content?.text) : [];
    return [chunk, call?._meta?.terminal_output_delta?.data, ...(output ?? [])].filter(
      (text) => typeof text === "string",
    );
  });
}

/** Everything a client can read, in one piece. */
function shownText(events: readonly UniversalEvent[]): string {
  return events
    .flatMap((event) => {
      if (event.type !== "item.completed") return [];
      return event.data.item.content.map((part) => {
        if (part.type === "text" || part.type === "reasoning") return part.text;
        if (part.type === "status") return part.label;
        return part.type === "tool_result" ? part.output : "";
      });
    })
    .join("\n");
}

describe("the five ways to report a failed call of the model", () => {
  test.each([
    ["codex-acp.jsonl", "text alone", "invalid_request"],
    ["gemini.jsonl", "the status as code of an error", "invalid_request"],
    ["claude-agent.jsonl", "text and an internal error", "invalid_request"],
    ["scripted-mock.jsonl", "an internal error", "agent_error"],
  ])("%s: %s", (name, _, code) => {
    const events = replay(readRecording(join(directory, name)));
    const failed = events.findIndex((event) => event.type === "error");
    expect(events[failed]).toMatchObject({ data: { code } });
    expect(events[failed + 1]).toMatchObject({ type: "turn.ended", data: { metadata: { reason: "failed" } } });
  });
});
