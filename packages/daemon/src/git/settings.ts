/**
 * The configuration git gets for somebody's repository. It is written here; from the repository come only a few values that
 * decide how files are compared, and of those only the ones that are known.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Git } from "./run-git.ts";

const isSwitch = /^(true|false|yes|no|on|off|1|0|)$/i;

/** What may be taken from a repository, and the values it may have. */
const taken: Record<string, RegExp> = {
  "core.autocrlf": /^(true|false|input)$/i,
  "core.eol": /^(lf|crlf|native)$/i,
  "core.filemode": isSwitch,
  "core.ignorecase": isSwitch,
  "core.precomposeunicode": isSwitch,
  "extensions.objectformat": /^(sha1|sha256)$/i,
};

const fixed = `[core]
	bare = false
	quotepath = false
	hooksPath = /dev/null
	attributesFile = /dev/null
	fsmonitor = false
	untrackedCache = false
	bigFileThreshold = 16m
	editor = false
	pager = cat
[protocol]
	allow = never
[submodule]
	recurse = false
[diff]
	ignoreSubmodules = all
[transfer]
	unpackLimit = 1
[gc]
	auto = 0
[maintenance]
	auto = false
`;

/** The values that count of a repository's `config`. A file that cannot be parsed has none. */
export async function settingsIn(git: Git, text: string): Promise<Map<string, string>> {
  const listed = await git(["config", "--file", "-", "--no-includes", "--list", "-z"], { input: [text] }).catch(
    () => null,
  );
  const entries = (listed?.text ?? "").split("\0").map((entry): [string, string] => {
    const end = entry.indexOf("\n");
    return end === -1 ? [entry, "true"] : [entry.slice(0, end), entry.slice(end + 1)];
  });
  return new Map(entries.filter(([name, value]) => taken[name]?.test(value)));
}

/** A git directory of our own, without objects. What lies there already is kept, but for its configuration. */
export function makeGitDirectory(path: string): void {
  for (const name of ["objects", "refs", "info"]) mkdirSync(join(path, name), { recursive: true });
  writeFileSync(join(path, "HEAD"), "ref: refs/heads/none\n");
  writeSettings(path, new Map());
}

/** `excludes` is a file with patterns of the daemon's own user, if there is one. */
export function writeSettings(
  gitDirectory: string,
  settings: ReadonlyMap<string, string>,
  excludes = "/dev/null",
): void {
  const own = [...settings].map(([name, value]) => {
    const [section, key] = name.split(".");
    return `[${section}]\n\t${key} = ${value}\n`;
  });
  const version = settings.has("extensions.objectformat") ? 1 : 0;
  const core = `[core]\n\trepositoryformatversion = ${version}\n\texcludesFile = ${JSON.stringify(excludes)}\n`;
  writeFileSync(join(gitDirectory, "config"), [...own, fixed, core].join(""), { mode: 0o600 });
}
