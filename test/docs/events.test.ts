/** docs/events.md and docs/permissions.md against the schema. */
import { eventData, TurnEndReason, UniversalEvent } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { code, page, rows, section } from "./page.ts";

const text = page("events.md");
const types = Object.keys(eventData);

test("every type of event has a section, in the order of the schema", () => {
  const headings = section(text, "Every type of event").match(/^### `([\w.]+)`$/gm) ?? [];
  expect(headings.map((heading) => heading.slice(5, -1))).toEqual(types);
});

describe.each(types)("the example of %s", (type) => {
  test("is an event of that type", () => {
    const [, json = ""] = /```json\n([\s\S]*?)```/.exec(section(text, `\`${type}\``)) ?? [];
    expect(UniversalEvent().parse(JSON.parse(json)).type).toBe(type);
  });
});

test("every reason for the end of a turn is described", () => {
  const described = rows(section(text, "Turns")).flatMap(([reason]) => code(reason));
  expect(described.sort()).toEqual([...TurnEndReason().options].sort());
});

test("every kind of item is described", () => {
  const described = rows(section(text, "Items")).flatMap(([kind]) => code(kind));
  expect(described.sort()).toEqual(["message", "status", "system", "tool_call", "tool_result", "unknown"]);
});

test("the examples of requests are those of the events", () => {
  const examples = [...page("permissions.md").matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) =>
    JSON.parse(json ?? ""),
  );
  const [permission, question] = examples;
  expect(eventData["permission.requested"]().parse(permission)).toEqual(permission);
  expect(eventData["question.requested"]().parse(question)).toEqual(question);
});
