/**
 * Whether Claude Code has a conversation on disk. Resuming one that is not there ends the process, and an id that is
 * there cannot be used anew, so it has to be known beforehand.
 */
import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

export async function hasTranscript(sessionId: string, env: Readonly<Record<string, string>>): Promise<boolean> {
  const config = env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), ".claude");
  const projects = join(config, "projects");
  // Named after the working directory, in a way that is the agent's own business.
  const folders = await readdir(projects).catch(() => []);
  const found = await Promise.all(folders.map((folder) => isFile(join(projects, folder, `${sessionId}.jsonl`))));
  return found.includes(true);
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() ?? false;
}
