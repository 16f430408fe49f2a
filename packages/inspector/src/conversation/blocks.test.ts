import { describe, expect, test } from "vitest";
import { blocksOf } from "./blocks.ts";

describe("blocks of Markdown", () => {
  test("are cut at blank lines", () => {
    expect(blocksOf("# Title\n\nOne\ntwo\n\nThree")).toEqual(["# Title\n", "One\ntwo\n", "Three"]);
  });

  test("are not cut inside a fence, closed or not", () => {
    const fenced = "```ts\na\n\nb\n```";
    expect(blocksOf(`${fenced}\n\nafter`)).toEqual([`${fenced}\n`, "after"]);
    expect(blocksOf("````\n```\n\nstill")).toEqual(["````\n```\n\nstill"]);
  });

  test("keep lists and what is indented together", () => {
    const list = "1. a\n\n   more\n\n2. b\n\n- c";
    expect(blocksOf(list)).toEqual([list]);
  });

  test("are the text again when joined", () => {
    const text = "a\n\n\nb\n\n```\n\n```\n\nc\n";
    expect(blocksOf(text).join("\n")).toBe(text);
  });
});
