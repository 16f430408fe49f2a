/** What `.gitignore` files leave out. A directory's own rules come on top of those of the directories above it. */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import ignore, { type Ignore } from "ignore";
import { excludedNames } from "./limits.ts";

interface Rules {
  /** Absolute path of the directory they were written for. */
  directory: string;
  matcher: Ignore;
}

/** The rules that hold in one directory, outermost first. */
export type RuleChain = readonly Rules[];

/**
 * The rules from above the root: those of the repository that the root is a part of, if it is. A root that these rules
 * ignore is no part of it: whoever works there means what is there.
 */
export function outerRules(root: string): RuleChain {
  const above: string[] = [];
  let directory = root;
  while (!existsSync(join(directory, ".git"))) {
    if (directory === dirname(directory)) return [];
    directory = dirname(directory);
    above.unshift(directory);
  }
  const chain = [...rulesIn(directory, ".git/info/exclude"), ...above.flatMap((path) => rulesIn(path, ".gitignore"))];
  const isPart = directory === root || !isIgnored(chain, dirname(root), basename(root), true);
  return isPart ? chain : [];
}

/** The chain for a directory, given the one of its parent. */
export function withOwnRules(chain: RuleChain, directory: string): RuleChain {
  const own = rulesIn(directory, ".gitignore");
  return own.length === 0 ? chain : [...chain, ...own];
}

export function isIgnored(chain: RuleChain, directory: string, name: string, isDirectory: boolean): boolean {
  if (excludedNames.has(name)) return true;
  let ignored = false;
  for (const { directory: base, matcher } of chain) {
    const path = relative(base, join(directory, name)) + (isDirectory ? "/" : "");
    const verdict = matcher.test(path);
    if (verdict.ignored) ignored = true;
    if (verdict.unignored) ignored = false;
  }
  return ignored;
}

function rulesIn(directory: string, file: string): Rules[] {
  const path = join(directory, file);
  if (!existsSync(path)) return [];
  try {
    return [{ directory, matcher: ignore().add(readFileSync(path, "utf8")) }];
  } catch {
    return []; // A directory of that name, or one that may not be read, rules nothing.
  }
}
