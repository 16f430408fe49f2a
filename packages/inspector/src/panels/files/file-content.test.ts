import { describe, expect, test } from "vitest";
import { textIn } from "./file-content.ts";

const bytes = (...values: number[]) => new Uint8Array(values).buffer;

describe("what counts as text", () => {
  test("UTF-8 with its byte order mark, so that saving changes nothing", () => {
    expect(textIn(bytes(0xef, 0xbb, 0xbf, 0xc3, 0xbc), true)).toBe("\uFEFFü");
  });

  test("a truncated file that ends within a character, but not a whole file that does", () => {
    expect(textIn(bytes(0x61, 0xc3), false)).toBe("a");
    expect(textIn(bytes(0x61, 0xc3), true)).toBeNull();
  });

  test("no other encodings and no NUL bytes", () => {
    expect(textIn(bytes(0xff, 0xfe, 0x61, 0x00), true)).toBeNull();
    expect(textIn(bytes(0x61, 0x00), true)).toBeNull();
  });
});
