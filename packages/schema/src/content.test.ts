import { describe, expect, test } from "vitest";
import type { ContentPart } from "./content.ts";
import { extendContent, textOf } from "./content-text.ts";

const picture: ContentPart = { type: "image", path: "a.png" };

describe("the text of content", () => {
  test("is its text parts joined by newlines", () => {
    expect(
      textOf([
        { type: "text", text: "one" },
        { type: "text", text: "two" },
      ]),
    ).toBe("one\ntwo");
  });

  test("leaves out every other kind of part", () => {
    const others: ContentPart[] = [
      { type: "json", json: { text: "no" } },
      { type: "tool_call", name: "no", arguments: "no", call_id: "no" },
      { type: "tool_result", call_id: "no", output: "no" },
      { type: "file_ref", path: "no", action: "read" },
      picture,
      { type: "reasoning", text: "no", visibility: "public" },
      { type: "status", label: "no" },
    ];
    expect(textOf([...others, { type: "text", text: "yes" }])).toBe("yes");
  });

  test("is empty for no content", () => {
    expect(textOf([])).toBe("");
  });
});

describe("a delta", () => {
  test.each<[string, ContentPart, ContentPart]>([
    ["the text", { type: "text", text: "ab" }, { type: "text", text: "abc" }],
    [
      "the reasoning",
      { type: "reasoning", text: "ab", visibility: "private" },
      { type: "reasoning", text: "abc", visibility: "private" },
    ],
    [
      "the output of a tool result",
      { type: "tool_result", call_id: "1", output: "ab" },
      { type: "tool_result", call_id: "1", output: "abc" },
    ],
    [
      "the arguments of a tool call",
      { type: "tool_call", name: "n", arguments: "ab", call_id: "1" },
      { type: "tool_call", name: "n", arguments: "abc", call_id: "1" },
    ],
  ])("extends %s", (_, before, after) => {
    expect(extendContent([before], "c")).toEqual([after]);
  });

  test("extends the last part only", () => {
    const content: ContentPart[] = [
      { type: "text", text: "first" },
      { type: "text", text: "sec" },
    ];
    expect(extendContent(content, "ond")).toEqual([
      { type: "text", text: "first" },
      { type: "text", text: "second" },
    ]);
  });

  test("begins a text after a part that carries none", () => {
    expect(extendContent([picture], "a")).toEqual([picture, { type: "text", text: "a" }]);
  });

  test("begins a text where there was nothing", () => {
    expect(extendContent([], "a")).toEqual([{ type: "text", text: "a" }]);
  });

  test("leaves the content before it as it was", () => {
    const before: ContentPart[] = [{ type: "text", text: "a" }];
    extendContent(before, "b");
    expect(before).toEqual([{ type: "text", text: "a" }]);
  });
});
