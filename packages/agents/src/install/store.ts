/**
 * Our own directory of agents: `<directory>/<agent>/<version>` is an installed version, `<directory>/<agent>/current` contains
 * the version in use. A version is a link to a hidden folder beside it, because a link can be replaced atomically: a version
 * is always complete or missing, even if the installing process is killed.
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

/** Whether a text is a valid version. It is used as the name of a folder and in URLs. */
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
    /** Makes a staged folder the folder of the version. */
    publish(staged: string, version: string): void {
      const folder = join(home, version);
      // The directory was copied without its links.
      if (isRealFolder(folder)) renameSync(folder, hidden(version));
      replace(version, (path) => symlinkSync(basename(staged), path));
    },
    /** Removes interrupted and replaced installations. Only for the holder of the lock. */
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
    // The file is usually missing, and checking is faster than creating an error.
    if (!existsSync(file)) return null;
    return readFileSync(file, "utf8").trim() || null;
  } catch {
    return null;
  }
}

function isRealFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** A hidden link belongs to an interrupted `replace`, so its target is not in use. */
function linkTarget(path: string): string | null {
  if (basename(path).startsWith(".")) return null;
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** A folder that an orphaned process still writes to is removed by the next sweep. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {}
}
