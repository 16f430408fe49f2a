/**
 * `npm run build:packages`: every package that is published, in `dist/npm`, each directory ready for `npm publish`.
 * Executables come from `npm run build:binary`; a platform without one has no package, and nobody depends on it.
 */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildLauncherPackage, buildPlatformPackage } from "./cli-packages.ts";
import { binaryName, targets } from "./platforms.ts";
import { workspace } from "./published-manifest.ts";
import { buildSdkPackage } from "./sdk-package.ts";

/** Returns the directories, in the order in which they can be published: first what others depend on. */
export async function buildPackages(
  outdir = join(workspace, "dist/npm"),
  binaries = join(workspace, "dist/binaries"),
): Promise<string[]> {
  const built = targets.filter((target) => existsSync(join(binaries, binaryName(target))));
  if (built.length === 0) throw new Error(`there is no executable in ${binaries}: npm run build:binary makes one`);

  rmSync(outdir, { recursive: true, force: true });
  const directories = built.map((target) => {
    const directory = join(outdir, `cli-${target.name}`);
    buildPlatformPackage(directory, target, join(binaries, binaryName(target)));
    return directory;
  });
  const [launcher, sdk] = [join(outdir, "cli"), join(outdir, "sandbox-agent")];
  await buildLauncherPackage(launcher, built);
  await buildSdkPackage(sdk);
  return [...directories, launcher, sdk];
}

if (import.meta.main) console.log((await buildPackages()).join("\n"));
