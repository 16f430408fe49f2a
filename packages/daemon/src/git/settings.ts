/**
 * The git configuration for an untrusted repository. It is written here; only a few settings that decide how files are compared
 * are copied from the repository, and only with known values.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Git } from "./run-git.ts";

const isSwitch = /^(true|false|yes|no|on|off|1|0|)$/i;

/** The settings that are copied from a repository, and their allowed values. */
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

/** The allowed settings in a repository's `config`; none if it cannot be parsed. */
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

/** Creates a git directory without objects. Existing files are kept, except its configuration. */
export function makeGitDirectory(path: string): void {
  for (const name of ["objects", "refs", "info"]) mkdirSync(join(path, name), { recursive: true });
  writeFileSync(join(path, "HEAD"), "ref: refs/heads/none\n");
  writeSettings(path, new Map());
}

/** `excludes` is the file with the ignore patterns of the daemon's user, if there is one. */
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
