/**
 * The executable of this platform. Published, `@sandbox-agent/cli` has none itself but a package for each platform as
 * optional dependencies, of which package managers install those that fit, some of them without asking for the libc.
 */
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export const executableName = process.platform === "win32" ? "sandbox-agent.exe" : "sandbox-agent";

/** In the packages that the `@sandbox-agent/cli` with this manifest depends on. */
export function platformExecutable(cliManifest: string): string | null {
  for (const name of Object.keys(readManifest(cliManifest).optionalDependencies ?? {})) {
    const manifest = findManifest(name, cliManifest);
    if (manifest && fits(readManifest(manifest))) return join(dirname(manifest), "bin", executableName);
  }
  return null;
}

/** The manifest of a package as seen from a file or its URL. */
export function findManifest(name: string, from: string): string | null {
  try {
    return createRequire(from).resolve(`${name}/package.json`);
  } catch {
    return null;
  }
}

/** The fields of a manifest that matter here; npm has checked them when it installed the package. */
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

function fits({ os, cpu, libc }: Manifest): boolean {
  if (!os?.includes(process.platform) || !cpu?.includes(process.arch)) return false;
  return libc === undefined || libc.includes(libcOfThisProcess());
}

/** By the loader that the executable of this runtime asks for, which stands at its beginning. */
function libcOfThisProcess(): "glibc" | "musl" {
  const beginning = Buffer.alloc(4096);
  const file = openSync(process.execPath, "r");
  try {
    readSync(file, beginning);
  } finally {
    closeSync(file);
  }
  return beginning.includes("/ld-musl-") ? "musl" : "glibc";
}
