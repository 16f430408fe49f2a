/**
 * Runs git on a shadow repository: its own directory and index beside somebody's files. Nothing of the user's
 * configuration, hooks, filters or repository takes part, and nothing of it is touched.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";

interface GitOutput {
  text: string;
  truncated: boolean;
}

export type Git = (
  args: readonly string[],
  run?: { input?: Iterable<string>; maxBytes?: number },
) => Promise<GitOutput>;

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
[gc]
	auto = 0
`;

// Files go in and come out byte for byte, whatever the attributes in the directory say.
const attributes = "* -text -eol -ident -filter -working-tree-encoding\n";

const lockPatienceMs = 5000;
const pollMs = 50;

/** Makes the repository if it is not there, and waits for a git that a killed daemon may have left at work. */
export async function openShadow(gitDirectory: string, workTree: string, signal: AbortSignal): Promise<Git> {
  const program = Bun.which("git", { PATH: process.env.PATH ?? "" });
  if (!program) throw new Error("git is not installed, and checkpoints need it");
  for (const name of ["objects", "refs", "info"]) mkdirSync(join(gitDirectory, name), { recursive: true });
  writeFileSync(join(gitDirectory, "HEAD"), "ref: refs/heads/none\n");
  writeFileSync(join(gitDirectory, "config"), settings);
  writeFileSync(join(gitDirectory, "info/attributes"), attributes);
  await removeLock(join(gitDirectory, "index.lock"));
  return gitIn(program, gitDirectory, workTree, signal);
}

function gitIn(program: string, gitDirectory: string, workTree: string, signal: AbortSignal): Git {
  const env = environment(gitDirectory, workTree);
  return async (args, { input, maxBytes = Number.POSITIVE_INFINITY } = {}) => {
    const child = Bun.spawn([program, ...args], {
      cwd: workTree,
      env,
      stdin: input ? new Blob([...input]) : "ignore",
      stdout: "pipe",
      stderr: "pipe",
      signal,
    });
    const [output, stderr] = await Promise.all([
      readUpTo(child.stdout, maxBytes, () => child.kill()),
      new Response(child.stderr).text(),
    ]);
    const code = await child.exited;
    if (code !== 0 && !output.truncated) throw new Error(`git ${args[0]} failed: ${stderr.trim() || `exit ${code}`}`);
    return output;
  };
}

function environment(gitDirectory: string, workTree: string): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  return {
    ...Object.fromEntries(inherited),
    GIT_DIR: gitDirectory,
    GIT_WORK_TREE: workTree,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  };
}

async function readUpTo(stream: ReadableStream<Uint8Array>, maxBytes: number, stop: () => void): Promise<GitOutput> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size <= maxBytes) continue;
    stop();
    const text = Buffer.concat(chunks).subarray(0, maxBytes).toString();
    return { text: text.slice(0, text.lastIndexOf("\n") + 1), truncated: true };
  }
  return { text: Buffer.concat(chunks).toString(), truncated: false };
}

async function removeLock(path: string): Promise<void> {
  const deadline = performance.now() + lockPatienceMs;
  while (performance.now() < deadline) {
    if (!(await stat(path).catch(() => null))) return;
    await Bun.sleep(pollMs);
  }
  rmSync(path, { force: true });
}
