/**
 * Redacts a text that arrives in pieces, including secrets that are split over several pieces. A suffix that could be the
 * beginning of a secret is held back until the next piece; all other text passes at once.
 */
import { type KnownSecrets, redactedText } from "./known-secrets.ts";

/** A shorter prefix of a secret is passed on but remembered, because ordinary text often ends with one. */
const minHeldCharacters = 4;

export class RedactedStream {
  /** The prefix of a possible secret that has already been passed on. */
  #passed = "";
  #held = "";

  constructor(private readonly secrets: KnownSecrets) {}

  /** The text that is currently held back. */
  get held(): string {
    return this.#held;
  }

  /** Whether the next piece can be searched on its own. */
  get isClear(): boolean {
    return this.#passed === "" && this.#held === "";
  }

  copy(): RedactedStream {
    const copy = new RedactedStream(this.secrets);
    copy.#passed = this.#passed;
    copy.#held = this.#held;
    return copy;
  }

  push(piece: string): string {
    const text = this.#passed + this.#held + piece;
    let from = this.#passed.length;
    let output = "";
    for (const { start, end } of this.secrets.matches(text)) {
      output += text.slice(from, Math.max(from, start)) + redactedText;
      from = end;
    }
    // Without a match, the passed prefix may continue in this piece.
    const begin = this.secrets.beginningAt(text, output === "" ? 0 : from);
    const passedEnd = Math.max(from, begin);
    const isHeld = text.length - begin >= minHeldCharacters;
    const until = isHeld ? passedEnd : text.length;
    output += text.slice(from, until);
    this.#passed = text.slice(begin, isHeld ? passedEnd : text.length);
    this.#held = text.slice(until);
    return output;
  }

  /** Ends the text: returns what was held back, unless it is most of a secret. */
  end(): string {
    const held = this.#held;
    const isMost = held !== "" && this.secrets.isMostOfOne(this.#passed + held);
    this.#passed = "";
    this.#held = "";
    return isMost ? redactedText : held;
  }
}
