/** The search query: plain text, or for names also a glob. It is case-sensitive only if it contains capitals. */

/** Larger files are not searched, with ripgrep or without. */
export const maxFileBytes = 16 * 1024 * 1024;
const maxTextLength = 500;

/** The part of a line that a match shows. */
export function shown(line: string): string {
  return line.slice(0, maxTextLength);
}

export function nameTest(query: string): (relativePath: string) => boolean {
  const fold = folding(query);
  if (!/[*?[{]/.test(query)) return (path) => fold(path).includes(fold(query));
  const glob = new Bun.Glob(fold(query));
  if (query.includes("/")) return (path) => glob.match(fold(path));
  return (path) => glob.match(fold(path.slice(path.lastIndexOf("/") + 1)));
}

/** The index of the match in a line, or -1. */
export function textFinder(query: string): (line: string) => number {
  const fold = folding(query);
  const text = fold(query);
  return (line) => fold(line).indexOf(text);
}

function folding(query: string): (text: string) => string {
  return /\p{Lu}/u.test(query) ? (text) => text : (text) => text.toLowerCase();
}
