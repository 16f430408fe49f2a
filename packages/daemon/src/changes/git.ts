/**
 * Runs git on a shadow repository, whose git directory and index are separate from the working directory. It neither uses
 * nor changes the user's git configuration, hooks, filters and repository.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Git, gitWith, isolatedEnvironment, requireGit } from "../git/run-git.ts";
import { privateDirectoryMode, privateFileMode } from "../store/private-directory.ts";

const settings = `[core]
	repositoryformatversion = 0
	bare = false
	filemode = true
	autocrlf = false
	safecrlf = false
	compression = 1
	fsync = none
	quotepath = false
	protectNTFS = false
	protectHFS = false
	hooksPath = /dev/null
	sharedRepository = 0600
[gc]
	auto = 0
`;

// Files are stored and restored byte for byte, whatever .gitattributes the directory has.
const attributes = "* -text -eol -ident -filter -working-tree-encoding\n";

/** Even the largest directory that checkpoints allow takes a fraction of this on a slow disk. */
const limitMs = 10 * 60_000;
const maxBytes = 256 * 1024 * 1024;
const lockTimeoutMs = 5000;
const pollMs = 50;

/** Creates the repository if it does not exist, and waits for a git process that a killed daemon may have left running. */
export async function openShadow(gitDirectory: string, workTree: string, signal: AbortSignal): Promise<Git> {
  const program = requireGit("checkpoints need it");
  for (const name of ["objects", "refs", "info"])
    mkdirSync(join(gitDirectory, name), { recursive: true, mode: privateDirectoryMode });
  const write = (name: string, text: string) =>
    writeFileSync(join(gitDirectory, name), text, { mode: privateFileMode });
  write("HEAD", "ref: refs/heads/none\n");
  write("config", settings);
  write("info/attributes", attributes);
  await removeLock(join(gitDirectory, "index.lock"));
  const env = { ...isolatedEnvironment(gitDirectory), GIT_WORK_TREE: workTree, GIT_OPTIONAL_LOCKS: "1" };
  return gitWith({ program, cwd: workTree, env, signal, limitMs, maxBytes });
}

async function removeLock(path: string): Promise<void> {
  const deadline = performance.now() + lockTimeoutMs;
  while (performance.now() < deadline) {
    if (!(await stat(path).catch(() => null))) return;
    await Bun.sleep(pollMs);
  }
  rmSync(path, { force: true });
}
