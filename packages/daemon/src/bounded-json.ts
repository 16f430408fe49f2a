/**
 * Parses JSON of clients with limited cost. Time and memory of parsing and of checking against a schema grow with the number of
 * values, not with the number of bytes: `[1,1,1,…` of a few megabytes takes seconds and gigabytes. So values and levels are
 * counted in the bytes before they are parsed. One long string is one value.
 */
import { ProblemError } from "@sandbox-agent/schema/problem";
import { messageOf } from "./failure.ts";
import { Slice } from "./slices.ts";

const maxValues = 10_000;
const maxDepth = 100;
/** Limit for numbers and punctuation: the parser is slow for a number with millions of digits. */
const maxBareBytes = 1024 * 1024;
/** An error message of the parser may be as long as the text. */
const maxCauseCharacters = 200;
/** The bytes scanned before the time is checked. */
const stepBytes = 64 * 1024;

/** Throws a problem if it is not JSON or exceeds a limit. Scans in slices. */
export async function parseBodyJson(bytes: Uint8Array): Promise<unknown> {
  const scan = new Scan(bytes, "body");
  const slice = new Slice();
  while (scan.advance()) if (slice.isOver) await slice.next();
  return parsed(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes), "body");
}

/** The same for a WebSocket message. Synchronous, because waiting would change the order of messages. */
export function parseMessageJson(text: string): unknown {
  const scan = new Scan(Buffer.from(text), "message");
  while (scan.advance());
  return parsed(() => text, "message");
}

function parsed(text: () => string, what: string): unknown {
  try {
    return JSON.parse(text());
  } catch (error) {
    const cause = messageOf(error).slice(0, maxCauseCharacters);
    throw new ProblemError("invalid_request", `the ${what} is not JSON: ${cause}`);
  }
}

const [space, quote, comma, backslash] = [0x20, 0x22, 0x2c, 0x5c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Counts without validating; the parser rejects invalid JSON. */
class Scan {
  #at = 0;
  #isInString = false;
  /** Bytes outside strings and white space. */
  #bare = 0;
  #values = 1;
  #depth = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly what: string,
  ) {}

  /** Scans the next step; returns false at the end. */
  advance(): boolean {
    const { bytes } = this;
    const end = Math.min(this.#at + stepBytes, bytes.length);
    let at = this.#at;
    for (; at < end; at++) {
      const byte = bytes[at];
      if (this.#isInString) {
        if (byte === backslash) at += 1;
        else if (byte === quote) this.#isInString = false;
        continue;
      }
      if (byte !== undefined && byte > space) this.#bare += 1;
      if (byte === quote) this.#isInString = true;
      else if (byte === comma) this.#values += 1;
      else if (byte === openBracket || byte === openBrace) {
        this.#values += 1;
        this.#depth += 1;
        if (this.#depth > maxDepth) throw tooMuch(`the ${this.what} is nested more than ${maxDepth} levels deep`);
      } else if (byte === closeBracket || byte === closeBrace) this.#depth -= 1;
    }
    this.#at = at;
    if (this.#values > maxValues) throw tooMuch(`the ${this.what} has more than ${maxValues} values`);
    if (this.#bare > maxBareBytes)
      throw tooMuch(`the ${this.what} has more than ${maxBareBytes} bytes outside of strings`);
    return at < bytes.length;
  }
}

function tooMuch(message: string): ProblemError {
  return new ProblemError("invalid_request", message);
}
