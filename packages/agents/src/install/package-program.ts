/** The program of an installed npm package, from its package.json. */
import { basename, join } from "node:path";
import { lazyObject } from "@sandbox-agent/schema";
import * as z from "zod";
import { readJson } from "../json.ts";

const PackageFile = lazyObject(() => ({
  name: z.string(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
}));

/**
 * The path below the package's folder: of the given program, of the only program, or of the program with the package's name,
 * which npx would run. Null if there is no such program or no package.
 */
export function packageProgram(folder: string, wanted?: string): string | null {
  const { success, data } = PackageFile().safeParse(readJson(join(folder, "package.json")));
  if (!success || data.bin === undefined) return null;
  const own = basename(data.name);
  const programs = typeof data.bin === "string" ? { [own]: data.bin } : data.bin;
  const [only, ...others] = Object.keys(programs);
  const chosen = wanted ?? (others.length === 0 ? only : own);
  const [, path] = Object.entries(programs).find(([name]) => name === chosen) ?? [];
  return path ?? null;
}
