/** Pi's own directory: settings, logins, skills, sessions. It is the user's, whose Pi this is. */
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
 * The same directory without the logins, for sessions that bring keys of their own: Pi prefers what is stored. Everything
 * else is a link, so sessions can be resumed from either.
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

/** Pi may have put a file of its own there meanwhile; that one stays. */
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
