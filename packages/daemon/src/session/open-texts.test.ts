import type { UniversalItem } from "@sandbox-agent/schema";
import { expect, test } from "vitest";
import { OpenTexts } from "./open-texts.ts";

const item = (id: string): { item: UniversalItem } => ({
  item: {
    item_id: id,
    native_item_id: null,
    parent_id: null,
    kind: "message",
    role: "assistant",
    content: [],
    status: "in_progress",
  },
});

function observed(): OpenTexts {
  const texts = new OpenTexts();
  for (const id of ["a", "b"]) texts.observe({ type: "item.started", data: item(id), synthetic: false });
  return texts;
}

const delta = (texts: OpenTexts, id: string, text: string) =>
  texts.observe({ type: "item.delta", data: { item_id: id, native_item_id: null, delta: text }, synthetic: false });

test("an open item has the text of its own deltas, in order", () => {
  const texts = observed();
  for (const [id, text] of [
    ["a", "he"],
    ["b", "x"],
    ["a", "llo"],
  ] as const)
    delta(texts, id, text);
  expect([texts.of("a"), texts.of("b")]).toEqual(["hello", "x"]);
});

test("an item without deltas has an empty text, one whose start was not observed has none", () => {
  const texts = observed();
  delta(texts, "late", "x");
  expect([texts.of("a"), texts.of("late")]).toEqual(["", null]);
});

test("any number of deltas is kept", () => {
  const texts = observed();
  const expected = Array.from({ length: 1000 }, (_, index) => `${index},`);
  for (const text of expected) delta(texts, "a", text);
  expect(texts.of("a")).toBe(expected.join(""));
});

test("an item that is complete is forgotten, and all are with the end of the session", () => {
  const texts = observed();
  texts.observe({ type: "item.completed", data: item("a"), synthetic: false });
  expect([texts.of("a"), texts.of("b")]).toEqual([null, ""]);
  texts.observe({ type: "session.ended", data: { reason: "terminated", terminated_by: "daemon" }, synthetic: true });
  expect(texts.of("b")).toBeNull();
});
