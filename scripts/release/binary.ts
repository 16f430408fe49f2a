/**
 * `npm run build:binary [-- --target linux-arm64 | --all]`: builds the daemon, the CLI and the inspector as one standalone executable
 * in dist/binaries. Default: for this platform.
 */
import { chmodSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildInspector } from "../../packages/inspector/build.ts";
import { binaryName, hostTarget, type Target, targetNamed, targets } from "./platforms.ts";
import { runtimeFor } from "./runtime.ts";

const root = join(import.meta.dirname, "../..");
export const binariesDirectory = join(root, "dist/binaries");

/** Returns the path of the executable. */
export async function buildBinary(target: Target, directory = binariesDirectory): Promise<string> {
  await buildInspector();
  mkdirSync(directory, { recursive: true });
  const path = join(directory, binaryName(target));
  // Renamed when complete: the old one may be running, and an incomplete one must never be run.
  const fresh = join(directory, `.${process.pid}-${binaryName(target)}`);
  try {
    await compile(target, fresh);
    chmodSync(fresh, 0o755);
    renameSync(fresh, path);
  } finally {
    rmSync(fresh, { force: true });
  }
  return path;
}

async function compile(target: Target, outfile: string): Promise<void> {
  const { success, logs } = await Bun.build({
    // The worker is an entry of its own and is loaded from beside the chunk that starts it.
    entrypoints: ["cli/src/main.ts", "daemon/src/store/wal-drain-worker.ts"].map((path) =>
      join(root, "packages", path),
    ),
    naming: { entry: "[name].[ext]" },
    format: "esm",
    // Starts in a quarter of the time, for 8 MB more.
    bytecode: true,
    // Dynamic imports are separate chunks, which are read only when they are imported.
    splitting: true,
    compile: {
      outfile,
      target: target.runtime,
      executablePath: await runtimeFor(target),
      assets: [join(root, "packages/inspector/dist")],
      // Configuration files of the working directory must not change this program.
      autoloadBunfig: false,
      autoloadDotenv: false,
    },
  });
  if (!success) throw new AggregateError(logs, `cannot build the executable for ${target.name}`);
}

function chosenTargets(): readonly Target[] {
  const { values } = parseArgs({
    options: { target: { type: "string", multiple: true, default: [] }, all: { type: "boolean" } },
  });
  if (values.all) return targets;
  if (values.target.length > 0) return values.target.map(targetNamed);
  const host = hostTarget();
  if (!host) throw new Error(`no build for ${process.platform} ${process.arch}; choose a platform with --target`);
  return [host];
}

if (import.meta.main) for (const target of chosenTargets()) console.log(await buildBinary(target));
