/**
 * Our own directory of agents: `<directory>/<agent>/<version>` leads to what was installed, `<directory>/<agent>/current`
 * names the version in use. A version is a link to a hidden folder beside it, because a link can be replaced in one step:
 * at every moment a version is there completely or not at all, whatever happens to the process that installs it.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";

export type AgentStore = ReturnType<typeof agentStore>;

const currentName = "current";

/** Whether a text can be a version: it names a folder here, and becomes part of addresses. */
export function isVersion(text: string): boolean {
  return /^\d[\w.+-]*$/.test(text);
}

export function agentStore(directory: string, agent: string) {
  const home = join(directory, agent);
  const hidden = (name: string) => join(home, `.${name}-${crypto.randomUUID().slice(0, 8)}`);
  const replace = (name: string, make: (path: string) => void) => {
    const made = hidden(name);
    make(made);
    renameSync(made, join(home, name));
  };
  return {
    /** The folder of the agent. */
    home,
    /** The file that processes lock while they change anything here. */
    lockFile: join(home, "lock"),
    folderOf: (version: string) => join(home, version),
    current: () => readOrNull(join(home, currentName)),
    setCurrent: (version: string) => replace(currentName, (path) => writeFileSync(path, `${version}\n`)),
    /** A new hidden folder to install into. */
    stage(version: string): string {
      const folder = hidden(version);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return folder;
    },
    /** Makes a staged folder the one of the version. */
    publish(staged: string, version: string): void {
      const folder = join(home, version);
      // Somebody has copied the directory without its links.
      if (isRealFolder(folder)) renameSync(folder, hidden(version));
      replace(version, (path) => symlinkSync(basename(staged), path));
    },
    /** Removes what interrupted and replaced installations have left. Only for the holder of the lock. */
    sweep(): void {
      const names = readdirSync(home);
      const linked = new Set(names.map((name) => linkTarget(join(home, name))));
      const rubbish = names.filter((name) => name.startsWith(".") && !linked.has(name));
      for (const name of rubbish) removeQuietly(join(home, name));
    },
  };
}

function readOrNull(file: string): string | null {
  try {
    // Most often there is none, and an error takes longer to make.
    if (!existsSync(file)) return null;
    return readFileSync(file, "utf8").trim() || null;
  } catch {
    return null;
  }
}

function isRealFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** A hidden link is one that was not put in its place any more, so what it leads to does not count. */
function linkTarget(path: string): string | null {
  if (basename(path).startsWith(".")) return null;
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** What an orphaned child still writes to goes with the next sweep. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {}
}
