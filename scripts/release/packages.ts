/**
 * `npm run build:packages`: builds all published packages in `dist/npm`, each directory ready for `npm publish`. Executables come
 * from `npm run build:binary`; a platform without an executable gets no package.
 */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildLauncherPackage, buildPlatformPackage } from "./cli-packages.ts";
import { binaryName, targets } from "./platforms.ts";
import { workspace } from "./published-manifest.ts";
import { buildSdkPackage } from "./sdk-package.ts";

/** Returns the directories in the order of publishing: dependencies first. */
export async function buildPackages(
  outdir = join(workspace, "dist/npm"),
  binaries = join(workspace, "dist/binaries"),
): Promise<string[]> {
  const built = targets.filter((target) => existsSync(join(binaries, binaryName(target))));
  if (built.length === 0) throw new Error(`no executable in ${binaries}; build one with npm run build:binary`);

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
