/**
 * Resolves a path below a root and holds the result open. Every step starts at a directory that is held open and follows
 * no symbolic link; links are read and their targets are resolved in the same way. So nothing leads out of the root: no
 * `..`, no absolute path, no link, and no replacement between a check and a use.
 */
import { lstatSync, mkdirSync, readlinkSync } from "node:fs";
import { ProblemError } from "@sandbox-agent/schema";
import { codeOf } from "../failure.ts";
import { type Directory, openDirectory } from "./directory.ts";
import { namingProblems } from "./problem.ts";
import type { Root } from "./root.ts";

/** A name in a directory that the caller holds open. The name may not exist. */
export interface Name {
  /** Absolute, without symbolic links before the name. */
  path: string;
  /** `.` if the place is the root itself. */
  name: string;
  /** For system calls. The last name may have become a symbolic link, so use calls that do not follow links. */
  at: string;
}

/** A place that holds its directory open. */
export type Place = Name & Disposable;

export interface LocateOptions {
  /** Whether a link at the end of the path is followed. */
  follow: boolean;
  /** Creates missing parent directories. */
  create?: boolean;
}

/** The same limit as in the Linux kernel. */
const maxLinks = 40;
/** More than any legitimate path needs; going back and forth in a deep tree would block the loop. */
const maxSteps = 10_000;

export function locate(root: Root, path: string, { follow, create = false }: LocateOptions): Place {
  const todo = root.namesOf(path);
  let done: string[] = [];
  let links = 0;
  let steps = 0;
  let here = root.open();

  const enter = (directory: Directory) => {
    steps += 1;
    here[Symbol.dispose]();
    here = directory;
  };
  const restart = () => {
    enter(root.open());
    done = [];
  };
  /** Replaces a link by its target. */
  const expand = (target: string) => {
    links += 1;
    if (!target.startsWith("/")) return todo.unshift(...namesIn(target));
    restart();
    return todo.unshift(...root.namesOf(target));
  };

  try {
    for (;;) {
      if (links > maxLinks) throw new ProblemError("invalid_request", `${path} has too many symbolic links`);
      if (steps > maxSteps) throw new ProblemError("invalid_request", `${path} has too many steps`);
      const name = todo.shift();
      if (name === undefined) return placeIn(here, ".");
      if (name === "..") {
        // Resolved again from the root: the directory's own `..` may have changed since it was opened.
        const parent = root.parentOf(done, path);
        restart();
        todo.unshift(...parent);
        continue;
      }
      if (todo.length === 0 && !follow) return placeIn(here, name);
      const at = `${here.at}/${name}`;
      const kind = kindOf(at);
      if (kind === "link") {
        expand(readlinkSync(at));
        continue;
      }
      if (todo.length === 0) return placeIn(here, name);
      if (kind === "missing" && create) makeDirectory(at);
      enter(openDirectory(at, join(here.path, name)));
      done.push(name);
    }
  } catch (error) {
    here[Symbol.dispose]();
    throw error;
  }
}

/** Runs the work at a place, which is held open meanwhile. A failed system call becomes a problem that names the path. */
export function atPlace<T>(
  root: Root,
  path: string,
  options: LocateOptions,
  work: (place: Place) => T | Promise<T>,
): Promise<T> {
  return namingProblems(path, async () => {
    using place = locate(root, path, options);
    return await work(place);
  });
}

/** Owns the directory from here on. */
function placeIn(directory: Directory, name: string): Place {
  return { ...childOf(directory, name), [Symbol.dispose]: () => directory[Symbol.dispose]() };
}

export function childOf(directory: Directory, name: string): Name {
  const path = name === "." ? directory.path : join(directory.path, name);
  return { path, name, at: `${directory.at}/${name}` };
}

/** The names in a path, without empty ones and `.`. */
export function namesIn(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}

export function join(directory: string, name: string): string {
  return directory === "/" ? `/${name}` : `${directory}/${name}`;
}

function kindOf(at: string): "missing" | "link" | "something" {
  const stats = lstatSync(at, { throwIfNoEntry: false });
  if (!stats) return "missing";
  return stats.isSymbolicLink() ? "link" : "something";
}

/** Opens the directory at a place and creates it if needed. */
export function ensureDirectory({ at, path, name }: Name, mode?: number): Directory {
  if (name !== ".") makeDirectory(at, mode);
  return openDirectory(at, path);
}

/** Ignores an existing directory, because two requests may create it at once. */
function makeDirectory(at: string, mode = 0o777): void {
  try {
    mkdirSync(at, { mode });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}
