/**
 * `npm run build:binary [-- --target linux-arm64 | --all]`: the daemon, its command and the inspector as one executable
 * that needs nothing else, in dist/binaries. For this platform unless told otherwise.
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
  // Somebody may be running the old one, and nobody should ever run half of a new one.
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
    // Threads begin with a file of their own, which is found beside the chunk that starts them.
    entrypoints: ["cli/src/main.ts", "daemon/src/store/wal-drain-worker.ts"].map((path) =>
      join(root, "packages", path),
    ),
    naming: { entry: "[name].[ext]" },
    format: "esm",
    // A quarter of the time to start, for 8 MB.
    bytecode: true,
    // What is imported when it is needed is read from the file then, and not before.
    splitting: true,
    compile: {
      outfile,
      target: target.runtime,
      executablePath: await runtimeFor(target),
      assets: [join(root, "packages/inspector/dist")],
      // Files of the directory we are called in may not change this program.
      autoloadBunfig: false,
      autoloadDotenv: false,
    },
  });
  if (!success) throw new AggregateError(logs, `the executable for ${target.name} could not be built`);
}

function chosenTargets(): readonly Target[] {
  const { values } = parseArgs({
    options: { target: { type: "string", multiple: true, default: [] }, all: { type: "boolean" } },
  });
  if (values.all) return targets;
  if (values.target.length > 0) return values.target.map(targetNamed);
  const host = hostTarget();
  if (!host) throw new Error(`nothing is built for ${process.platform} ${process.arch}; name a platform with --target`);
  return [host];
}

if (import.meta.main) for (const target of chosenTargets()) console.log(await buildBinary(target));
