/** Writes the type declarations of the SDK: only those that are reachable from an entry. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { workspace } from "./published-manifest.ts";

const sdk = join(workspace, "packages/sdk");
const relativeImport = /(\bfrom |\bimport\()"(\.[^"]+)\.ts"/g;

export function writeDeclarations(entries: string[], outdir: string): void {
  const work = mkdtempSync(join(tmpdir(), "sandbox-agent-sdk-"));
  try {
    compile(entries, work);
    const written = new Set<string>();
    for (const entry of entries) {
      copyReached(entry.replace("./src/", "").replace(/\.ts$/, ".d.ts"), join(work, "types/sdk/src"), outdir, written);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function compile(entries: string[], work: string): void {
  const config = {
    extends: join(workspace, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: join(workspace, "packages"),
      outDir: join(work, "types"),
      typeRoots: [join(workspace, "node_modules/@types")],
    },
    include: [],
    files: entries.map((entry) => join(sdk, entry)),
  };
  writeFileSync(join(work, "tsconfig.json"), JSON.stringify(config));
  const { exitCode, stdout } = Bun.spawnSync([join(workspace, "node_modules/.bin/tsc"), "-p", work]);
  if (exitCode !== 0) throw new Error(`cannot write declarations:\n${stdout}`);
}

/** Rewrites `.ts` imports to `.js`: the compiler keeps `.ts`, which does not exist in the package. */
function copyReached(file: string, from: string, to: string, written: Set<string>): void {
  if (written.has(file)) return;
  written.add(file);
  const text = readFileSync(join(from, file), "utf8");
  mkdirSync(dirname(join(to, file)), { recursive: true });
  writeFileSync(join(to, file), text.replace(relativeImport, '$1"$2.js"'));
  for (const [, , path] of text.matchAll(relativeImport)) {
    copyReached(join(dirname(file), `${path}.d.ts`), from, to, written);
  }
}
