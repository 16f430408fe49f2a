/**
 * The executable of this platform. The published `@sandbox-agent/cli` has one optional dependency per platform, which contains the
 * executable. Package managers install those that match, and some of them ignore the libc.
 */
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export const executableName = process.platform === "win32" ? "sandbox-agent.exe" : "sandbox-agent";

/** Searches the optional dependencies of the `@sandbox-agent/cli` with this manifest. */
export function platformExecutable(cliManifest: string): string | null {
  for (const name of Object.keys(readManifest(cliManifest).optionalDependencies ?? {})) {
    const manifest = findManifest(name, cliManifest);
    if (manifest && matchesPlatform(readManifest(manifest))) return join(dirname(manifest), "bin", executableName);
  }
  return null;
}

/** The path of a package's manifest, resolved from a file or its URL. */
export function findManifest(name: string, from: string): string | null {
  try {
    return createRequire(from).resolve(`${name}/package.json`);
  } catch {
    return null;
  }
}

/** The fields used here. npm has validated them when it installed the package. */
interface Manifest {
  bin?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

export function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, "utf8"));
}

function matchesPlatform({ os, cpu, libc }: Manifest): boolean {
  if (!os?.includes(process.platform) || !cpu?.includes(process.arch)) return false;
  return libc === undefined || libc.includes(libcOfThisProcess());
}

/** Read from the loader path at the beginning of the executable of this runtime. */
function libcOfThisProcess(): "glibc" | "musl" {
  const head = Buffer.alloc(4096);
  const file = openSync(process.execPath, "r");
  try {
    readSync(file, head);
  } finally {
    closeSync(file);
  }
  return head.includes("/ld-musl-") ? "musl" : "glibc";
}
