/**
 * All secrets that this daemon knows, and what takes them out of a text. One search, compiled when the set has changed, finds
 * all of them: events are searched as they are appended, so a text without secrets must cost next to nothing.
 */
import { minSecretCharacters } from "@sandbox-agent/agents/secret-variables";
import { formsOf, searchFor } from "./secret-forms.ts";

export const redactedText = "[redacted]";

/** Of those that come with sessions and tokens; the least recently used are dropped. */
const maxAdded = 1000;

interface Search {
  first: RegExp;
  all: RegExp;
  /** The forms of all secrets by their first character. */
  byFirst: ReadonlyMap<number, readonly string[]>;
  longest: number;
}

export class KnownSecrets {
  readonly #kept = new Set<string>();
  readonly #added = new Set<string>();
  #search: Search | null = null;

  constructor(values: Iterable<string> = []) {
    this.keep(values);
  }

  /** For the life of the daemon. */
  keep(values: Iterable<string>): void {
    for (const value of values) this.#insert(this.#kept, value);
  }

  /** Until many others have been added after it. */
  add(values: Iterable<string>): void {
    for (const value of values) this.#insert(this.#added, value);
    for (const oldest of this.#added) {
      if (this.#added.size <= maxAdded) break;
      this.#added.delete(oldest);
    }
  }

  isIn(text: string): boolean {
    return this.#compiled().first.test(text);
  }

  /** Whether the text has no secret, nor the beginning of one at its end. */
  isClear(text: string): boolean {
    return this.beginningAt(text) === text.length && !this.isIn(text);
  }

  redact(text: string): string {
    const { first, all } = this.#compiled();
    return first.test(text) ? text.replace(all, redactedText) : text;
  }

  /** JSON with the secrets taken out of its strings, and still JSON: a match in the text may begin inside an escape. */
  redactJson(json: string): string {
    if (!this.isIn(json)) return json;
    try {
      return JSON.stringify(JSON.parse(json, (_, value) => this.#redactValue(value)));
    } catch {
      return JSON.stringify(this.redact(json));
    }
  }

  /** Where the secrets are in the text, in order. */
  *matches(text: string): Generator<{ start: number; end: number }> {
    const { first, all } = this.#compiled();
    if (!first.test(text)) return;
    for (const match of text.matchAll(all)) yield { start: match.index, end: match.index + match[0].length };
  }

  /** Where the longest end of the text begins that is the beginning of a secret; the length of the text if none is. */
  beginningAt(text: string, from = 0): number {
    const { byFirst, longest } = this.#compiled();
    for (let index = Math.max(from, text.length - longest + 1); index < text.length; index++) {
      const candidates = byFirst.get(text.charCodeAt(index));
      if (!candidates) continue;
      const end = text.slice(index);
      if (candidates.some((secret) => secret.length > end.length && secret.startsWith(end))) return index;
    }
    return text.length;
  }

  /** Whether the text is the beginning of a secret and at least half of it. */
  isMostOfOne(text: string): boolean {
    const candidates = this.#compiled().byFirst.get(text.charCodeAt(0)) ?? [];
    return candidates.some((secret) => secret.startsWith(text) && text.length * 2 >= secret.length);
  }

  /** How many characters the longest form of a secret has. */
  get longest(): number {
    return this.#compiled().longest;
  }

  #insert(values: Set<string>, value: string): void {
    if (value.length < minSecretCharacters) return;
    const isNew = !values.delete(value);
    values.add(value);
    if (isNew) this.#search = null;
  }

  #redactValue(value: unknown): unknown {
    if (typeof value === "string") return this.redact(value);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    if (!Object.keys(value).some((name) => this.isIn(name))) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [this.redact(name), member]));
  }

  #compiled(): Search {
    if (this.#search) return this.#search;
    const forms = [...new Set([...this.#kept, ...this.#added].flatMap(formsOf))];
    const source = searchFor(forms);
    this.#search = {
      first: new RegExp(source),
      all: new RegExp(source, "g"),
      byFirst: Map.groupBy(forms, (form) => form.charCodeAt(0)),
      longest: Math.max(0, ...forms.map(({ length }) => length)),
    };
    return this.#search;
  }
}
