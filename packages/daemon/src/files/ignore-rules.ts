/** The rules of `.gitignore` files. A directory's own rules take precedence over those of its parents. */
import { existsSync, readSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import ignore, { type Ignore } from "ignore";
import { type Directory, openDirectory } from "./directory.ts";
import { locate } from "./place.ts";
import { openFile } from "./read.ts";
import type { Root } from "./root.ts";

const maxBytes = 1024 * 1024;

/** A directory, by its path or held open. */
type Named = Pick<Directory, "at" | "path">;

interface Rules {
  /** Absolute path of the directory they were written for. */
  directory: string;
  matcher: Ignore;
}

/** The rules that apply in a directory, outermost first. */
export type RuleChain = readonly Rules[];

/** The rules of a directory's parents within its repository, up to the root. */
export function rulesAbove(root: Root, path: string): RuleChain {
  return rulesOnTheWay(heldUpwards(root, path));
}

/** The same for the whole file system, with the repository's `info/exclude`. */
export function outerRules(path: string): RuleChain {
  return rulesOnTheWay(upwards(path), (top) => rulesIn(top, ".git/info/exclude"));
}

/** The chain for a directory, given the one of its parent. */
export function withOwnRules(chain: RuleChain, directory: Named): RuleChain {
  const own = rulesIn(directory, ".gitignore");
  return own.length === 0 ? chain : [...chain, ...own];
}

export function isIgnored(chain: RuleChain, directory: string, name: string, isDirectory: boolean): boolean {
  // The nearest file with a matching rule decides.
  for (let index = chain.length - 1; index >= 0; index -= 1) {
    const rules = chain[index];
    if (!rules) continue;
    const path = relative(rules.directory, join(directory, name)) + (isDirectory ? "/" : "");
    const { ignored, unignored } = rules.matcher.test(path);
    if (ignored || unignored) return ignored;
  }
  return false;
}

/**
 * The rules between a directory, which comes first, and the top of its repository. If these rules ignore the directory
 * itself, none apply: a client that works in an ignored directory wants to see its files.
 */
function rulesOnTheWay(directories: Iterable<Named>, ofTop: (top: Named) => RuleChain = () => []): RuleChain {
  const chain: Rules[] = [];
  let start: string | null = null;
  for (const directory of directories) {
    if (start === null) start = directory.path;
    else chain.unshift(...rulesIn(directory, ".gitignore"));
    if (!existsSync(`${directory.at}/.git`)) continue;
    chain.unshift(...ofTop(directory));
    const isPart = start === directory.path || !isIgnored(chain, dirname(start), basename(start), true);
    return isPart ? chain : [];
  }
  return [];
}

function* upwards(path: string): Generator<Named> {
  yield { at: path, path };
  if (path !== dirname(path)) yield* upwards(dirname(path));
}

function* heldUpwards(root: Root, path: string): Generator<Named> {
  const names = root.namesOf(path);
  for (let depth = names.length; depth >= 0; depth -= 1) {
    using place = locate(root, `${root.path}/${names.slice(0, depth).join("/")}`, { follow: true });
    using directory = openDirectory(place.at, place.path);
    yield directory;
  }
}

function rulesIn(directory: Named, name: string): Rules[] {
  const at = `${directory.at}/${name}`;
  if (!existsSync(at)) return [];
  try {
    using file = openFile({ at, path: join(directory.path, name) });
    const bytes = Buffer.alloc(Math.min(file.size, maxBytes));
    const length = readSync(file.descriptor, bytes);
    return [{ directory: directory.path, matcher: ignore().add(bytes.toString("utf8", 0, length)) }];
  } catch {
    return []; // A directory of that name, a link, or an unreadable file has no rules.
  }
}
