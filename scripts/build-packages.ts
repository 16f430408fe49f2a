/**
 * `npm run build:packages`: every package that is published, in `dist/npm`, each directory ready for `npm publish`.
 * Executables come from `npm run build:binary`; a platform without one has no package, and nobody depends on it.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildLauncherPackage, buildPlatformPackage } from "../packages/cli/generate/packages.ts";
import { binaryFile, platforms } from "../packages/cli/generate/platforms.ts";
import { buildPackage as buildSdkPackage } from "../packages/sdk/generate/build.ts";
import { workspace } from "./published-manifest.ts";

/** Returns the directories, in the order in which they can be published: first what others depend on. */
export async function buildPackages(
  outdir = join(workspace, "dist/npm"),
  binaries = join(workspace, "dist/binaries"),
): Promise<string[]> {
  const built = platforms.filter((platform) => existsSync(join(binaries, binaryFile(platform))));
  if (built.length === 0) throw new Error(`there is no executable in ${binaries}: npm run build:binary makes one`);

  const directories = built.map((platform) => {
    const directory = join(outdir, `cli-${platform.name}`);
    buildPlatformPackage(directory, platform, join(binaries, binaryFile(platform)));
    return directory;
  });
  const [launcher, sdk] = [join(outdir, "cli"), join(outdir, "sandbox-agent")];
  await buildLauncherPackage(launcher, built);
  await buildSdkPackage(sdk);
  return [...directories, launcher, sdk];
}

if (import.meta.main) console.log((await buildPackages()).join("\n"));
