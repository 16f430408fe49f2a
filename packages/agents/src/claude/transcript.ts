/**
 * Whether Claude Code has a conversation on disk. The process exits if it is to resume a missing conversation or to create
 * one with an existing id, so this must be known before the start.
 */
import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

export async function hasTranscript(sessionId: string, env: Readonly<Record<string, string>>): Promise<boolean> {
  const config = env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), ".claude");
  const projects = join(config, "projects");
  // Folder names are derived from the working directory in an undocumented way, so all folders are searched.
  const folders = await readdir(projects).catch(() => []);
  const found = await Promise.all(folders.map((folder) => isFile(join(projects, folder, `${sessionId}.jsonl`))));
  return found.includes(true);
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() ?? false;
}
