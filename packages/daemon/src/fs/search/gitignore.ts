/** What `.gitignore` files exclude, each below the directory it lies in. */
import { existsSync } from "node:fs";
import ignore, { type Ignore } from "ignore";
import { type Directory, openDirectory } from "../directory.ts";
import { childOf, locate } from "../place.ts";
import { openFile, piecesOf } from "../read.ts";
import type { Root } from "../root.ts";

const maxBytes = 1024 * 1024;

export interface Rules {
  /** A path relative to the directory searched, with a slash at the end if it is a directory itself. */
  excludes(path: string): boolean;
  /** With those of a directory on the way, whose relative path is `prefix`. */
  with(directory: Directory, prefix: string): Promise<Rules>;
}

/** One file's rules. They see a path without what it begins with, or with what lies between them and the search. */
interface Layer {
  matcher: Ignore;
  cut: number;
  above: string;
}

/** What holds in a directory because of those above it, up to the top of its repository. */
export async function rulesAbove(root: Root, path: string): Promise<Rules> {
  const layers: Layer[] = [];
  const names = root.namesOf(path);
  for (let depth = names.length; depth >= 0; depth -= 1) {
    using place = locate(root, `${root.path}/${names.slice(0, depth).join("/")}`, { follow: true });
    using directory = openDirectory(place.at, place.path);
    const above = names.slice(depth).map((name) => `${name}/`);
    const matcher = above.length > 0 ? await matcherOf(directory) : null;
    if (matcher) layers.unshift({ matcher, cut: 0, above: above.join("") });
    if (existsSync(childOf(directory, ".git").at)) return rulesOf(layers);
  }
  return rulesOf([]);
}

function rulesOf(layers: Layer[]): Rules {
  return {
    excludes(path) {
      // The nearest file that has a rule for it decides.
      for (const { matcher, cut, above } of layers.toReversed()) {
        const { ignored, unignored } = matcher.test(above + path.slice(cut));
        if (ignored || unignored) return ignored;
      }
      return false;
    },
    async with(directory, prefix) {
      const matcher = await matcherOf(directory);
      return matcher ? rulesOf([...layers, { matcher, cut: prefix.length, above: "" }]) : rulesOf(layers);
    },
  };
}

async function matcherOf(directory: Directory): Promise<Ignore | null> {
  try {
    using file = openFile(childOf(directory, ".gitignore"));
    const pieces = await Array.fromAsync(piecesOf(file, 0, Math.min(file.size, maxBytes)));
    return ignore().add(Buffer.concat(pieces).toString());
  } catch {
    return null;
  }
}
