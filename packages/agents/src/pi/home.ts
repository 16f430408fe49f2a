/** Pi's home directory of the user: settings, logins, skills, sessions. */
import { existsSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { members, readJson } from "../json.ts";
import type { Variables } from "../variables.ts";

const loginFile = "auth.json";

export function piHome(env: Variables): string {
  return env.PI_CODING_AGENT_DIR || join(env.HOME || homedir(), ".pi", "agent");
}

/** Whether the user has logged in to a provider, or stored a key, with Pi itself. */
export function hasLogins(env: Variables): boolean {
  return Object.keys(members(readJson(join(piHome(env), loginFile)))).length > 0;
}

/**
 * The same directory without the logins, for sessions with their own keys, because Pi prefers stored logins. Everything else
 * is a link, so sessions can be resumed with either directory.
 */
export function homeWithoutLogins(env: Variables, dataDir: string): string {
  const home = piHome(env);
  const key = new Bun.CryptoHasher("sha256").update(home).digest("hex").slice(0, 16);
  const directory = join(dataDir, "pi", `home-${key}`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  mkdirSync(join(home, "sessions"), { recursive: true });
  for (const name of readdirSync(home)) if (name !== loginFile) link(join(home, name), join(directory, name));
  for (const name of readdirSync(directory)) if (!existsSync(join(directory, name))) rmSync(join(directory, name));
  return directory;
}

/** Pi may have created a file there meanwhile; it is kept. */
function link(target: string, path: string): void {
  if (linkTarget(path) === target || existsSync(path)) return;
  rmSync(path, { force: true });
  symlinkSync(target, path);
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
