/** Repositories that try to run a program when they are read. Each attack that works leaves a file with its name. */
import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { put } from "../changes/project.ts";
import { temporaryDirectory } from "../harness/daemon.ts";

export class Canaries {
  readonly #directory = temporaryDirectory();

  /** A program that leaves a canary and passes its input on. */
  program(name: string): string {
    const path = join(this.#directory, `${name}.sh`);
    writeFileSync(path, `#!/bin/sh\ntouch '${this.#directory}/${name}.canary'\nexec cat\n`);
    chmodSync(path, 0o755);
    return path;
  }

  /** The names of those that were run. */
  run(): string[] {
    return readdirSync(this.#directory)
      .filter((name) => name.endsWith(".canary"))
      .map((name) => name.slice(0, -".canary".length))
      .toSorted();
  }
}

/** git as its owner would use it, with nothing of the machine's configuration and nothing hostile at work. */
export function git(directory: string, ...args: string[]): string {
  const fixed = ["user.name=t", "user.email=t@localhost", "commit.gpgsign=false", "protocol.file.allow=always"];
  const env = { PATH: process.env.PATH ?? "", HOME: directory, GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" };
  const options = fixed.flatMap((setting) => ["-c", setting]);
  return execFileSync("git", [...options, ...args], { cwd: directory, env, encoding: "utf8", stdio: "pipe" });
}

/** A repository with a commit of these files. */
export function repositoryOf(files: Record<string, string>, directory = temporaryDirectory()): string {
  git(directory, "init", "--quiet", "--initial-branch", "main");
  for (const [path, content] of Object.entries(files)) put(directory, path, content);
  commitAll(directory);
  return directory;
}

export function commitAll(directory: string): void {
  git(directory, "add", "--all");
  git(directory, "commit", "--quiet", "--message", "all");
}

/** So that git cannot trust the times in the index and compares the content. */
export function touchAll(directory: string): void {
  const later = Date.now() / 1000 + 5;
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && !entry.parentPath.includes("/.git"))
      utimesSync(join(entry.parentPath, entry.name), later, later);
}

/** Names drivers for the files of a hostile repository. */
export const attributes = `*.txt filter=evil diff=evil
*.dat filter=evilprocess diff=evilcommand
*.md merge=evil
`;

const hooks = [
  ["post-index-change", "post-checkout", "post-merge", "post-rewrite", "reference-transaction", "pre-auto-gc"],
  ["pre-commit", "fsmonitor-watchman", "query-watchman", "pre-push", "sendemail-validate", "push-to-checkout"],
].flat();

/** Everything in a configuration that names a program. */
function hostileConfig(canaries: Canaries): string {
  const run = (name: string) => canaries.program(name);
  return `
[core]
	fsmonitor = ${run("fsmonitor")}
	pager = ${run("core-pager")}
	editor = ${run("editor")}
	sshCommand = ${run("ssh-command")}
	askPass = ${run("askpass")}
	gitProxy = ${run("git-proxy")}
	alternateRefsCommand = ${run("alternate-refs")}
	untrackedCache = true
[filter "evil"]
	clean = ${run("filter-clean")}
	smudge = ${run("filter-smudge")}
	required = true
[filter "evilprocess"]
	process = ${run("filter-process")}
[diff]
	external = ${run("diff-external")}
[diff "evil"]
	textconv = ${run("diff-textconv")}
	cachetextconv = true
[diff "evilcommand"]
	command = ${run("diff-command")}
[merge "evil"]
	driver = ${run("merge-driver")}
[credential]
	helper = !${run("credential-helper")}
[pager]
	diff = ${run("pager-diff")}
	branch = ${run("pager-branch")}
	ls-files = ${run("pager-ls-files")}
[interactive]
	diffFilter = ${run("interactive-filter")}
[alias]
	diff = !${run("alias-diff")}
	branch = !${run("alias-branch")}
	ls-files = !${run("alias-ls-files")}
[uploadpack]
	packObjectsHook = ${run("pack-objects-hook")}
[gpg]
	program = ${run("gpg")}
[log]
	showSignature = true
[protocol]
	allow = always
[submodule]
	recurse = true
[diff]
	ignoreSubmodules = none
[status]
	submoduleSummary = true
`;
}

/** Makes a repository hostile in every way, as an attacker who controls its `.git` could. */
export function makeHostile(directory: string, canaries: Canaries): void {
  // Before the configuration exists, which would run a program now.
  put(directory, ".gitattributes", attributes);
  if (git(directory, "status", "--porcelain") !== "") commitAll(directory);
  const config = hostileConfig(canaries);
  const included = join(directory, ".git", "included");
  writeFileSync(included, config.replaceAll(".sh", "-included.sh"));
  for (const name of [...config.matchAll(/([\w-]+)\.sh/g)].map(([, name = ""]) => name))
    canaries.program(`${name}-included`);
  const own = join(directory, ".git", "config");
  const hooksPath = join(directory, ".git", "other-hooks");
  for (const folder of [join(directory, ".git", "hooks"), hooksPath]) {
    mkdirSync(folder, { recursive: true });
    for (const hook of hooks) {
      const name = `hook-${folder === hooksPath ? "path-" : ""}${hook}`;
      writeFileSync(join(folder, hook), `#!/bin/sh\nexec ${canaries.program(name)} < /dev/null\n`, { mode: 0o755 });
    }
  }
  const includes = [
    `[core]\n\thooksPath = ${hooksPath}\n`,
    `[include]\n\tpath = ${included}\n[includeIf "gitdir:${directory}/"]\n\tpath = ${included}\n`,
  ];
  appendFileSync(own, `${config}${includes.join("")}`);
}
