/** CHANGELOG.md: what has not been released becomes the section of a version. */

const unreleased = "## Unreleased\n";

/** The text with what was unreleased under the version. Throws when there is nothing to release. */
export function releaseChanges(text: string, version: string, date: string): string {
  const [before, rest] = split(text);
  if (sectionOf(rest).trim() === "") throw new Error("CHANGELOG.md has nothing under Unreleased");
  return `${before}${unreleased}\n## ${version} - ${date}\n${rest}`;
}

/** What a version has brought, for the notes of its release; null when the changelog does not know it. */
export function changesOf(text: string, version: string): string | null {
  const [heading] = text.match(new RegExp(`^## ${RegExp.escape(version)}( .*)?\\n`, "m")) ?? [];
  if (heading === undefined) return null;
  return sectionOf(text.slice(text.indexOf(heading) + heading.length)).trim();
}

function split(text: string): [string, string] {
  const at = text.indexOf(unreleased);
  if (at < 0) throw new Error("CHANGELOG.md has no section Unreleased");
  return [text.slice(0, at), text.slice(at + unreleased.length)];
}

/** Up to the next heading of a version. */
function sectionOf(rest: string): string {
  return rest.split(/^## /m, 1)[0] ?? "";
}
