/** The encodings in which a secret appears in texts, and one regular expression that finds them all. */

/** Shorter lines of a multi-line secret are not secrets themselves. */
const minLineCharacters = 16;

/** Tokens signed by any daemon are found by their header; those of this run are also known as a whole. */
const signedToken = `${header()}\\.[\\w-]{20,}\\.[\\w-]{86}`;

export function formsOf(secret: string): string[] {
  const lines = secret.includes("\n") ? secret.split(/\r?\n/).filter(isLongLine) : [];
  return [secret, ...lines].flatMap((text) => {
    // Most keys consist of characters that no encoding changes.
    if (/^[\w.~-]+$/.test(text)) return [text];
    const escaped = inJson(text);
    return [text, escaped, inJson(escaped), text.replaceAll("/", "\\/"), inUrl(text), inBytes(text)];
  });
}

/** Finds the longest of overlapping forms. */
export function searchFor(forms: readonly string[]): string {
  const sorted = forms.toSorted((one, other) => other.length - one.length);
  // Keys of a provider share a prefix, and each alternative is tried wherever its first character occurs.
  const groups = Map.groupBy(sorted, (form) => form.slice(0, prefixCharacters));
  const alternatives = [...groups].map(([prefix, members]) => {
    const rest = members.map((form) => literal(form.slice(prefix.length)));
    return literal(prefix) + (rest.length === 1 ? rest[0] : `(?:${rest.join("|")})`);
  });
  return [...alternatives, signedToken].join("|");
}

const prefixCharacters = 7;

function isLongLine(line: string): boolean {
  return line.length >= minLineCharacters && !line.startsWith("-----");
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function inUrl(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : text;
}

/** One character per byte, as output of programs is searched. */
function inBytes(text: string): string {
  return Buffer.from(text).toString("latin1");
}

function header(): string {
  return Buffer.from('{"alg":"EdDSA","typ":"JWT"}').toString("base64url");
}
