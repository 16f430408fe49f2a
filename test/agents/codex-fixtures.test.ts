/** Recorded traffic of the real Codex: all of it is understood, well-formed, and none of its text is lost. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ContentPart, checkEvents, type UniversalEvent } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { member, type Recorded, replay } from "./codex-replay.ts";
import { describeTranslations } from "./translated.ts";

const directory = join(import.meta.dirname, "../fixtures/codex");
const names = readdirSync(directory).filter((name) => name.endsWith(".jsonl"));

describeTranslations("codex", (name) => replay(read(name)).map(({ events }) => events));

describe.each(names)("%s", (name) => {
  const lines = read(name);
  const sessions = replay(lines);

  test("is well-formed", () => {
    for (const { events } of sessions) expect(checkEvents(events, { finished: true })).toEqual([]);
  });

  test("keeps every text", () => {
    const kept = sessions.flatMap(({ events }) => events.map(textIn)).join("\n");
    expect(saidIn(lines).filter((text) => !kept.includes(text))).toEqual([]);
  });

  test("keeps the native message with every draft", () => {
    const drafts = sessions.flatMap((session) => session.drafts);
    const bare = drafts.filter(({ raw, type }) => raw === undefined && type !== "turn.ended");
    expect(bare).toEqual([]);
  });

  test("knows every message", () => {
    const unknown = sessions.flatMap(({ events }) =>
      events.filter((event) => event.type === "item.completed" && event.data.item.kind === "unknown"),
    );
    // A recording of tools that the client itself provides, which this adapter never does.
    expect(unknown).toHaveLength(name === "dynamic-tools.jsonl" ? 2 : 0);
  });
});

function read(name: string): Recorded[] {
  return readFileSync(join(directory, name), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** Everything that the model said and its tools printed, from what was completed and, where nothing was, the deltas. */
function saidIn(lines: readonly Recorded[]): string[] {
  const streamed = new Map<unknown, string>();
  const said: unknown[] = [];
  for (const { dir, msg } of lines) {
    const method = msg.method ?? "";
    if (dir !== "in" || !method.startsWith("item/")) continue;
    const id = member(msg.params, "itemId");
    const delta = member(msg.params, "delta");
    if (typeof delta === "string") streamed.set(id, (streamed.get(id) ?? "") + delta);
    if (method !== "item/completed") continue;
    const item = member(msg.params, "item");
    streamed.delete(member(item, "id"));
    if (member(item, "type") === "userMessage") continue;
    const fields = ["text", "aggregatedOutput", "review", "summary", "prompt"].map((key) => member(item, key));
    const results = member(member(item, "result"), "content") ?? member(item, "contentItems");
    const blocks = Array.isArray(results) ? results.map((block) => member(block, "text")) : [];
    said.push(...fields.flat(), ...blocks);
  }
  return [...said, ...streamed.values()].flatMap((text) => (typeof text === "string" && text !== "" ? [text] : []));
}

/** The text of a finished item, or of a request. */
function textIn(event: UniversalEvent): string {
  if (event.type === "question.requested") return event.data.prompt;
  return event.type === "item.completed" ? event.data.item.content.map(partText).join("\n") : "";
}

function partText(part: ContentPart): string {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.text;
    case "tool_result":
      return part.output;
    case "tool_call":
      return Object.values(JSON.parse(part.arguments)).join("\n");
    case "status":
      return part.detail ?? "";
    default:
      return "";
  }
}
