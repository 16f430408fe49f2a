import type { ProcessLogEntry } from "sandbox-agent";
import { expect, test } from "vitest";
import { createLogText } from "./log-text.ts";

function entry(stream: ProcessLogEntry["stream"], ...bytes: number[]): ProcessLogEntry {
  return { sequence: 1, stream, timestampMs: 0, data: Buffer.from(bytes).toString("base64"), encoding: "base64" };
}

test("a character split over two entries is joined, even with another stream in between", () => {
  const text = createLogText();
  const shown = [entry("stdout", 0x61, 0xc3), entry("stderr", 0x21), entry("stdout", 0xbc)].map(text).join("");
  expect(shown).toBe("a\x1b[31m!\x1b[39mü");
});
