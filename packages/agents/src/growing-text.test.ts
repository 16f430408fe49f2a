import { expect, test } from "vitest";
import { GrowingText } from "./growing-text.ts";

test.each([0, 1, 999, 1000, 1001, 2500])("%i pieces are one text", (count) => {
  const pieces = Array.from({ length: count }, (_, index) => `${index} `);
  const text = new GrowingText();
  for (const piece of pieces) text.add(piece);
  expect(text.toString()).toBe(pieces.join(""));
});
