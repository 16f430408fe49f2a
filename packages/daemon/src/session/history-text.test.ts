import { transcriptOf, type UniversalEvent, type UniversalItem } from "@sandbox-agent/schema";
import { expect, test } from "vitest";
import { historyText } from "./history-text.ts";

function completed(sequence: number, item: Pick<UniversalItem, "kind" | "role" | "content">): UniversalEvent {
  const whole: UniversalItem = {
    item_id: `itm_${sequence}`,
    native_item_id: null,
    parent_id: null,
    status: "completed",
    ...item,
  };
  return {
    event_id: `evt_${sequence}`,
    sequence,
    time: new Date(sequence).toISOString(),
    session_id: "s",
    native_session_id: null,
    source: "agent",
    synthetic: false,
    type: "item.completed",
    data: { item: whole },
  };
}

test("has messages, tool calls and tool results, without reasoning and notices", () => {
  const events = [
    completed(1, { kind: "message", role: "user", content: [{ type: "text", text: "Look." }] }),
    completed(2, {
      kind: "message",
      role: "assistant",
      content: [{ type: "reasoning", text: "hm", visibility: "public" }],
    }),
    completed(3, {
      kind: "tool_call",
      role: "assistant",
      content: [{ type: "tool_call", name: "ls", arguments: "{}", call_id: "1" }],
    }),
    completed(4, {
      kind: "tool_result",
      role: "tool",
      content: [{ type: "tool_result", call_id: "1", output: "a.txt" }],
    }),
    completed(5, { kind: "status", role: null, content: [{ type: "status", label: "Busy" }] }),
    completed(6, { kind: "message", role: "assistant", content: [{ type: "text", text: "One file." }] }),
  ];
  expect(historyText(transcriptOf(events).items)).toBe(
    "User: Look.\n\nTool call: ls {}\n\nTool result: a.txt\n\nAssistant: One file.",
  );
});

test("has images and files by path, files with their action", () => {
  const content: UniversalItem["content"] = [
    { type: "text", text: "These." },
    { type: "image", path: "/a.png", mime: "image/png" },
    { type: "file_ref", path: "/b.txt", action: "read" },
  ];
  const events = [completed(1, { kind: "message", role: "user", content })];
  expect(historyText(transcriptOf(events).items)).toBe("User: These.\n[image /a.png]\n[read /b.txt]");
});

test("keeps the newest part of a long conversation", () => {
  const events = Array.from({ length: 60 }, (_, index) =>
    completed(index + 1, {
      kind: "message",
      role: "user",
      content: [{ type: "text", text: `${index} ${"x".repeat(3000)}` }],
    }),
  );
  const text = historyText(transcriptOf(events).items) ?? "";
  expect(text.length).toBeLessThan(101_000);
  expect(text).toContain("User: 59 ");
  expect(text).not.toContain("User: 3 ");
});

test("keeps the beginning of a long item", () => {
  const [long, whole] = [`begins${"x".repeat(3994)}, goes on`, "y".repeat(4000)];
  const events = [long, whole].map((text, index) =>
    completed(index + 1, { kind: "message", role: "user", content: [{ type: "text", text }] }),
  );
  const shortened = `User: begins${"x".repeat(3994)}[…]`;
  expect(historyText(transcriptOf(events).items)).toBe(`${shortened}\n\nUser: ${whole}`);
});

test("is null for a conversation without text", () => {
  expect(historyText([])).toBeNull();
});
