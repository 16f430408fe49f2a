import { expect, test } from "vitest";
import { readMatrix, renderMatrix } from "./matrix.ts";
import type { Subject } from "./subject.ts";

const agents: Pick<Subject, "id" | "lacks">[] = [
  { id: "one", lacks: { image: "ignores images" } },
  { id: "two", lacks: {} },
];
const scenarios = ["text", "image"];
const marks = new Map([
  ["one", new Map([["text", "✓"]])],
  [
    "two",
    new Map([
      ["text", "✗"],
      ["image", "✓"],
    ]),
  ],
]);

test("shows marks, and the reason of what an agent lacks", () => {
  expect(renderMatrix(agents, scenarios, marks).split("\n")).toEqual([
    "| scenario | one | two |",
    "|---|:-:|:-:|",
    "| text | ✓ | ✗ |",
    "| image | – <sup>1</sup> | ✓ |",
    "",
    "1. ignores images",
  ]);
});

test("what was written can be read again", () => {
  expect(readMatrix(renderMatrix(agents, scenarios, marks))).toEqual(marks);
});

test("a scenario that was never played has no mark", () => {
  expect(renderMatrix(agents, ["new"], marks)).toContain("| new |  |  |");
});
