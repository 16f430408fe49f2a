/**
 * What the files API gives to administrators only: the data directory. It holds the daemon's own token and the key that signs all
 * others, so whoever can read it has every scope.
 */
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { ProblemError } from "@sandbox-agent/schema";
import { hasScope, type Principal } from "./principal.ts";

export interface PrivateFiles {
  /** Throws unless the principal may reach what is at this path, which has no links in it; `tree`: and everything below. */
  check(principal: Principal, path: string, extent: "one" | "tree"): void;
}

/** `directories` need not exist yet. What is in their `attachments` came with messages, so readers of sessions may see it. */
export function privateFiles(directories: readonly string[]): PrivateFiles {
  return {
    check(principal, path, extent) {
      if (hasScope(principal, "admin")) return;
      for (const directory of directories.map(realPath)) {
        const isInside = isBelow(path, directory) && !isBelow(path, join(directory, "attachments"));
        if (isInside || (extent === "tree" && isBelow(directory, path))) throw denied(path, directory);
      }
    },
  };
}

function isBelow(path: string, directory: string): boolean {
  return path === directory || directory === "/" || path.startsWith(`${directory}/`);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function denied(path: string, directory: string): ProblemError {
  const message = isBelow(path, directory)
    ? `${path} is in the data directory of the daemon`
    : `${path} holds the data directory of the daemon, ${directory}; name a directory beside it`;
  return new ProblemError("permission_denied", `${message}. It needs a token with the scope admin`);
}
