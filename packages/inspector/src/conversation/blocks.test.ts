import { describe, expect, test } from "vitest";
import { blocksOf } from "./blocks.ts";

describe("blocks of Markdown", () => {
  test("are split at blank lines", () => {
    expect(blocksOf("# Title\n\nOne\ntwo\n\nThree")).toEqual(["# Title\n", "One\ntwo\n", "Three"]);
  });

  test("are not split inside a fence, closed or not", () => {
    const fenced = "```ts\na\n\nb\n```";
    expect(blocksOf(`${fenced}\n\nafter`)).toEqual([`${fenced}\n`, "after"]);
    expect(blocksOf("````\n```\n\nstill")).toEqual(["````\n```\n\nstill"]);
  });

  test("keep lists and indented lines together", () => {
    const list = "1. a\n\n   more\n\n2. b\n\n- c";
    expect(blocksOf(list)).toEqual([list]);
  });

  test("give the original text when joined", () => {
    const text = "a\n\n\nb\n\n```\n\n```\n\nc\n";
    expect(blocksOf(text).join("\n")).toBe(text);
  });
});
