/** How far a search looks and how much of a line it shows, whoever does the looking. */

/** Larger files are not looked into. */
export const maxFileBytes = 16 * 1024 * 1024;

const maxTextLength = 500;

export function shown(line: string): string {
  return line.slice(0, maxTextLength);
}
