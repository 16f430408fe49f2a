/** Every recording of the real Claude Code, translated: nothing unread, nothing out of order, no word lost. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { checkEvents, type UniversalEvent } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { type Line, readRecording, replay } from "./claude-replay.ts";
import { describeTranslations } from "./translated.ts";

const directory = join(import.meta.dirname, "../fixtures/claude");
const recordings = readdirSync(directory).filter((name) => name.endsWith(".jsonl"));

describeTranslations("claude", (name) => [replay(readRecording(join(directory, name)))]);

describe.each(recordings)("%s", (name) => {
  const lines = readRecording(join(directory, name));
  const events = replay(lines);

  test("is read without a remainder", () => {
    const unread = events.filter(({ type }) => type === "agent.unparsed");
    expect(unread).toEqual([]);
  });

  test("gives a well-formed history", () => {
    expect(checkEvents(events, { finished: true })).toEqual([]);
  });

  test("loses no word", () => {
    const shown = shownText(events);
    expect(saidText(lines).filter((text) => !shown.includes(normalized(text)))).toEqual([]);
  });

  test("keeps the native message beside every event of the agent", () => {
    const bare = events.filter(({ synthetic, raw }) => !synthetic && raw === undefined);
    expect(bare).toEqual([]);
  });
});

const Said = z.object({
  type: z.enum(["assistant", "user"]),
  isReplay: z.boolean().optional(),
  message: z.object({ content: z.array(z.record(z.string(), z.unknown())) }),
});

/** The texts in what the model said and the tools returned. */
function saidText(lines: readonly Line[]): string[] {
  return lines.flatMap(({ dir, msg }) => {
    const said = dir === "out" ? Said.safeParse(msg).data : undefined;
    if (!said || said.isReplay) return [];
    return said.message.content
      .flatMap(({ text, thinking, content }) => [text, thinking, content])
      .filter((text) => typeof text === "string")
      .filter((text) => text !== "" && !text.startsWith("[Request interrupted"));
  });
}

/** Everything a client can read, in one piece. */
function shownText(events: readonly UniversalEvent[]): string {
  return normalized(
    events
      .flatMap((event) => {
        if (event.type === "error") return [event.data.message];
        if (event.type !== "item.completed") return [];
        return event.data.item.content.map((part) => {
          if (part.type === "text" || part.type === "reasoning") return part.text;
          return part.type === "tool_result" ? part.output : "";
        });
      })
      .join("\n"),
  );
}

function normalized(text: string): string {
  return text.trim();
}
