/** Every recording of the real Pi, translated: nothing unread, nothing out of order, no word lost. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type ContentPart, checkEvents, type UniversalEvent } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { type Line, readRecording, replay } from "./pi-replay.ts";
import { describeTranslations } from "./translated.ts";

const directory = join(import.meta.dirname, "../fixtures/pi");
const recordings = readdirSync(directory).filter((name) => name.endsWith(".jsonl"));

describeTranslations("pi", (name) => [replay(readRecording(join(directory, name)))]);

describe.each(recordings)("%s", (name) => {
  const lines = readRecording(join(directory, name));
  const events = replay(lines);

  test("is read without a remainder", () => {
    expect(events.filter(({ type }) => type === "agent.unparsed")).toEqual([]);
    expect(partsOf(events, "unknown")).toEqual([]);
  });

  test("gives a well-formed history", () => {
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

test("files that tools touch are named with their diffs", () => {
  const files = content("v0.87.1-tools.jsonl").filter((part) => part.type === "file_ref");
  expect(files).toEqual([
    { type: "file_ref", path: "/workspace/dot.png", action: "read" },
    { type: "file_ref", path: "/workspace/old.txt", action: "patch", diff: expect.stringContaining("-beta\n+delta\n") },
    { type: "file_ref", path: "/workspace/old.txt", action: "write", diff: expect.stringContaining("-gamma\n+new\n") },
  ]);
});

test("output of a command is streamed, and each piece comes once", () => {
  const events = replay(readRecording(join(directory, "v0.87.1-tools.jsonl")));
  const result = itemsOf(events).find(({ content: parts }) =>
    parts.some((part) => part.type === "tool_result" && part.output.startsWith("line 1")),
  );
  const deltas = events.flatMap((event) =>
    event.type === "item.delta" && event.data.item_id === result?.item_id ? [event.data.delta] : [],
  );
  expect(deltas).toEqual(["line 1\n", "line 2\n", "line 3\n"]);
});

test("a failed tool call has a failed result", () => {
  const events = replay(readRecording(join(directory, "v0.87.1-tools.jsonl")));
  const failed = itemsOf(events).filter(({ kind, status }) => kind === "tool_result" && status === "failed");
  expect(failed).toHaveLength(3);
});

test("requested and rejected permissions", () => {
  const events = replay(readRecording(join(directory, "v0.87.1-gate.jsonl")));
  const asked = events.flatMap((event) => (event.type === "permission.requested" ? [event.data] : []));
  expect(asked.map(({ action, metadata }) => [action, metadata?.command ?? metadata?.path])).toEqual([
    ["bash", "echo one"],
    ["write", "notes.txt"],
    ["bash", "echo three"],
  ]);
});

test("a failure is an error once the agent has given up, and no error if a retry helped", () => {
  const events = replay(readRecording(join(directory, "v0.87.1-failures.jsonl")));
  const errors = events.flatMap((event) => (event.type === "error" ? [[event.data.code, event.data.message]] : []));
  expect(errors).toEqual([
    ["provider_error", "500 Scripted failure with status 500"],
    ["invalid_request", "400 Scripted failure with status 400"],
  ]);
  const ends = events.flatMap((event) => (event.type === "turn.ended" ? [event.data.metadata?.reason] : []));
  expect(ends).toEqual(["failed", "completed", "failed"]);
});

const Said = z.object({
  type: z.literal("message_end"),
  message: z.object({
    role: z.enum(["assistant", "toolResult"]),
    content: z.array(z.object({ text: z.string().optional(), thinking: z.string().optional() })),
  }),
});

/** The texts in what the model said and the tools returned. */
function saidText(lines: readonly Line[]): string[] {
  return lines.flatMap(({ dir, msg }) => {
    const said = dir === "out" ? Said.safeParse(msg).data : undefined;
    return said?.message.content.flatMap(({ text, thinking }) => text ?? thinking ?? []) ?? [];
  });
}

function itemsOf(events: readonly UniversalEvent[]) {
  return events.flatMap((event) => (event.type === "item.completed" ? [event.data.item] : []));
}

function partsOf(events: readonly UniversalEvent[], kind?: string): ContentPart[] {
  return itemsOf(events)
    .filter((item) => kind === undefined || item.kind === kind)
    .flatMap((item) => item.content);
}

function content(recording: string): ContentPart[] {
  return partsOf(replay(readRecording(join(directory, recording))));
}

/** Everything a client can read, in one piece. */
function shownText(events: readonly UniversalEvent[]): string {
  return partsOf(events)
    .map((part) => {
      if (part.type === "text" || part.type === "reasoning") return part.text;
      return part.type === "tool_result" ? part.output : "";
    })
    .join("\n");
}
