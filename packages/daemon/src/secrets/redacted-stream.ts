/**
 * Takes secrets out of a text that arrives in pieces, also those that are split over several. An end of the text that is the
 * beginning of a secret is held back until the next piece shows whether it is one; all other text passes at once.
 */
import { type KnownSecrets, redactedText } from "./known-secrets.ts";

/** A shorter beginning of a secret is not held back, since ordinary text often ends so, but is remembered. */
const minHeldCharacters = 4;

export class RedactedStream {
  /** The beginning of what may become a secret, as far as it has been passed on already. */
  #passed = "";
  #held = "";

  constructor(private readonly secrets: KnownSecrets) {}

  /** What is held back at the moment. */
  get held(): string {
    return this.#held;
  }

  /** Whether the next piece can be searched without what came before. */
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
    // Without a match, what was passed on may be the beginning of what goes on here.
    const begin = this.secrets.beginningAt(text, output === "" ? 0 : from);
    const passedEnd = Math.max(from, begin);
    const isHeld = text.length - begin >= minHeldCharacters;
    const until = isHeld ? passedEnd : text.length;
    output += text.slice(from, until);
    this.#passed = text.slice(begin, isHeld ? passedEnd : text.length);
    this.#held = text.slice(until);
    return output;
  }

  /** The end of the text: what was held back, unless it is most of a secret. */
  end(): string {
    const held = this.#held;
    const isMost = held !== "" && this.secrets.isMostOfOne(this.#passed + held);
    this.#passed = "";
    this.#held = "";
    return isMost ? redactedText : held;
  }
}
