/** Moves the Unreleased section of CHANGELOG.md to a version. */

const unreleased = "## Unreleased\n";

/** The text with the unreleased changes under the version. Throws when there are none. */
export function releaseChanges(text: string, version: string, date: string): string {
  const [before, rest] = split(text);
  if (sectionOf(rest).trim() === "") throw new Error("CHANGELOG.md has nothing under Unreleased");
  return `${before}${unreleased}\n## ${version} - ${date}\n${rest}`;
}

/** The changes of a version, for its release notes; null when the changelog has no section for it. */
export function changesOf(text: string, version: string): string | null {
  const [heading] = text.match(new RegExp(`^## ${RegExp.escape(version)}( .*)?\\n`, "m")) ?? [];
  if (heading === undefined) return null;
  return sectionOf(text.slice(text.indexOf(heading) + heading.length)).trim();
}

function split(text: string): [string, string] {
  const at = text.indexOf(unreleased);
  if (at < 0) throw new Error("CHANGELOG.md has no Unreleased section");
  return [text.slice(0, at), text.slice(at + unreleased.length)];
}

/** The text up to the next version heading. */
function sectionOf(rest: string): string {
  return rest.split(/^## /m, 1)[0] ?? "";
}
