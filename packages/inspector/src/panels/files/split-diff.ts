/** The hunks of each file of a unified diff, in the order of its files. */
export function hunksByFile(diff: string): string[] {
  return diff
    .split(/^(?=diff --git )/m)
    .filter((section) => section.startsWith("diff --git "))
    .map((section) => {
      const at = section.search(/^@@ /m);
      return at < 0 ? "" : section.slice(at);
    });
}
