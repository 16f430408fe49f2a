import { expect, test } from "vitest";
import { LineSplitter } from "./lines.ts";

const limit = { maxBytes: 8, keptBytes: 4 };

/** The lines of these chunks. */
function split(chunks: readonly string[], splitter = new LineSplitter(limit)): string[] {
  const bytes = chunks.map((chunk) => new TextEncoder().encode(chunk));
  return [...bytes.flatMap((chunk) => splitter.push(chunk)), ...splitter.finish()];
}

test("lines are the same however they are cut into chunks", () => {
  const text = "one\ntwo\r\n\nthree\nlast";
  for (let size = 1; size <= text.length; size++) {
    const chunks = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
    expect(split(chunks), `chunks of ${size}`).toEqual(["one", "two", "three", "last"]);
  }
});

test("a line up to the limit is whole, a longer one is cut and its missing bytes are counted", () => {
  const text = "12345678\n123456789\nafter\n0123456789abcdef";
  const expected = ["12345678", "1234 [… 5 more bytes]", "after", "0123 [… 12 more bytes]"];
  for (let size = 1; size <= text.length; size++) {
    const chunks = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
    expect(split(chunks), `chunks of ${size}`).toEqual(expected);
  }
});

test("characters of several bytes may lie in two chunks", () => {
  const bytes = new TextEncoder().encode("zwölf\n");
  const splitter = new LineSplitter();
  expect([...bytes].flatMap((byte) => splitter.push(new Uint8Array([byte])))).toEqual(["zwölf"]);
});

test("a cut line is never JSON", () => {
  const [line = ""] = split(["[1]        \n"]);
  expect(() => JSON.parse(line)).toThrow();
});
