import { describe, expect, test } from "vitest";
import { parseScript } from "./script.ts";

describe("a prompt without markers", () => {
  test("is repeated", () => {
    expect(parseScript("hello there")).toEqual([{ kind: "say", text: "You said: hello there" }]);
  });

  test("is shortened", () => {
    const [step] = parseScript("x".repeat(1000));
    expect(step).toEqual({ kind: "say", text: `You said: ${"x".repeat(200)}…` });
  });

  test("may hold brackets that are no markers", () => {
    expect(parseScript("[[ -f x ]] and [[1]]")).toEqual([{ kind: "say", text: "You said: [[ -f x ]] and [[1]]" }]);
  });
});

describe("markers", () => {
  const cases: [string, unknown][] = [
    ["[[say hello world]]", { kind: "say", text: "hello world" }],
    ["[[think deep\nthoughts]]", { kind: "think", text: "deep\nthoughts" }],
    ["[[tool Read {}]]", { kind: "tool", name: "Read", input: {}, parallel: false }],
    ["[[tool Read]]", { kind: "tool", name: "Read", input: {}, parallel: false }],
    ['[[tools x {"a":[[1,2]]}]]', { kind: "tool", name: "x", input: { a: [[1, 2]] }, parallel: true }],
    ['[[tool x {"a":"]] } \\""}]]', { kind: "tool", name: "x", input: { a: ']] } "' }, parallel: false }],
    ["[[tool apply_patch *** Begin]]", { kind: "tool", name: "apply_patch", input: "*** Begin", parallel: false }],
    ['[[mcp demo echo {"m":"hi"}]]', { kind: "mcp", server: "demo", tool: "echo", input: { m: "hi" } }],
    ["[[sh if [[ -f x ]]; then ls; fi]]", { kind: "sh", command: "if [[ -f x ]]; then ls; fi" }],
    ["[[write /a/b.txt one\ntwo]]", { kind: "write", path: "/a/b.txt", content: "one\ntwo" }],
    ["[[edit a.txt old text => new text]]", { kind: "edit", path: "a.txt", before: "old text", after: "new text" }],
    ["[[edit a.txt gone =>]]", { kind: "edit", path: "a.txt", before: "gone", after: "" }],
    ["[[ask Which? | A | B b]]", { kind: "ask", question: "Which?", options: ["A", "B b"], multiple: false }],
    ["[[askmulti Which?]]", { kind: "ask", question: "Which?", options: ["Yes", "No"], multiple: true }],
    ["[[plan # Plan\n- a]]", { kind: "plan", text: "# Plan\n- a" }],
    ["[[todo one; two]]", { kind: "todo", items: ["one", "two"] }],
    ["[[task {{sh ls}}{{say hi}}]]", { kind: "task", prompt: "[[sh ls]][[say hi]]" }],
    ["[[slow 10 50]]", { kind: "slow", count: 10, delayMs: 50 }],
    ["[[long 5000]]", { kind: "long", length: 5000 }],
    ["[[error 500]]", { kind: "error", status: 500, type: null, once: false }],
    ["[[error 500 once]]", { kind: "error", status: 500, type: null, once: true }],
    ["[[error 429 insufficient_quota once]]", { kind: "error", status: 429, type: "insufficient_quota", once: true }],
    ["[[drop]]", { kind: "drop", always: false }],
    ["[[drop always]]", { kind: "drop", always: true }],
    ["[[hang]]", { kind: "hang" }],
    ["[[image]]", { kind: "image" }],
    ["[[context]]", { kind: "context" }],
    ["[[recall]]", { kind: "recall" }],
    ["[[usage 100 20 30]]", { kind: "usage", input: 100, output: 20, cached: 30 }],
    ["[[usage 100 20]]", { kind: "usage", input: 100, output: 20, cached: 0 }],
    ["[[echo-tools]]", { kind: "echo-tools" }],
  ];

  test.each(cases)("%s", (prompt, step) => {
    expect(parseScript(prompt)).toEqual([step]);
  });

  test("run in order, and the text around them is ignored", () => {
    const kinds = parseScript("please [[think a]] then [[say b]] and\n[[hang]] bye").map((step) => step.kind);
    expect(kinds).toEqual(["think", "say", "hang"]);
  });
});

describe("mistakes are answered, never skipped", () => {
  test.each([
    ["[[sya hello]]", "Unknown marker: sya hello"],
    ["[[error]]", 'Unreadable marker error: Error: "" is not a whole number'],
    ["[[edit a.txt nothing]]", "Unreadable marker edit a.txt nothing: Error: expected PATH OLD => NEW"],
  ])("%s", (prompt, text) => {
    expect(parseScript(prompt)).toEqual([{ kind: "say", text }]);
  });
});
