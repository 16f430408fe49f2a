/**
 * All secrets that the daemon knows, and their redaction. One regular expression, compiled when the set has changed, finds all
 * of them: every appended event is searched, so a text without secrets must cost very little.
 */
import { minSecretCharacters } from "@sandbox-agent/agents/secret-variables";
import { formsOf, searchFor } from "./secret-forms.ts";

export const redactedText = "[redacted]";

/** Limit for secrets of sessions and tokens; the least recently used are evicted. */
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

  /** Keeps secrets for the lifetime of the daemon. */
  keep(values: Iterable<string>): void {
    for (const value of values) this.#insert(this.#kept, value);
  }

  /** Adds secrets, which are evicted after many others have been added. */
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

  /** Whether the text contains no secret and does not end with the beginning of one. */
  isClear(text: string): boolean {
    return this.beginningAt(text) === text.length && !this.isIn(text);
  }

  redact(text: string): string {
    const { first, all } = this.#compiled();
    return first.test(text) ? text.replace(all, redactedText) : text;
  }

  /** Redacts the strings of a JSON text. The result is valid JSON, although a match may begin inside an escape sequence. */
  redactJson(json: string): string {
    if (!this.isIn(json)) return json;
    try {
      return JSON.stringify(JSON.parse(json, (_, value) => this.#redactValue(value)));
    } catch {
      return JSON.stringify(this.redact(json));
    }
  }

  /** The positions of the secrets in the text, in order. */
  *matches(text: string): Generator<{ start: number; end: number }> {
    const { first, all } = this.#compiled();
    if (!first.test(text)) return;
    for (const match of text.matchAll(all)) yield { start: match.index, end: match.index + match[0].length };
  }

  /** The start of the longest suffix of the text that is a prefix of a secret; the length of the text if there is none. */
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

  /** Whether the text is a prefix of a secret and at least half as long. */
  isMostOfOne(text: string): boolean {
    const candidates = this.#compiled().byFirst.get(text.charCodeAt(0)) ?? [];
    return candidates.some((secret) => secret.startsWith(text) && text.length * 2 >= secret.length);
  }

  /** The length of the longest form of a secret. */
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
