/**
 * The packages that the executable is published in: `@sandbox-agent/cli`, a launcher, and one for each platform, its
 * optional dependencies, with the executable. Part of `npm run build:packages`.
 */
import { chmodSync, cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { publishedManifest, workspace, writePackageFiles } from "../../../scripts/published-manifest.ts";
import packageJson from "../package.json" with { type: "json" };
import type { Platform } from "./platforms.ts";

const cli = join(workspace, "packages/cli");

export async function buildLauncherPackage(outdir: string, platforms: readonly Platform[]): Promise<void> {
  rmSync(outdir, { recursive: true, force: true });
  const { success, logs, outputs } = await Bun.build({
    entrypoints: [join(cli, "src/npm-launcher.ts")],
    outdir: join(outdir, "bin"),
    naming: "sandbox-agent.js",
    target: "node",
    format: "esm",
    banner: "#!/usr/bin/env node",
  });
  if (!success) throw new AggregateError(logs, "the launcher could not be bundled");
  for (const { path } of outputs) chmodSync(path, 0o755);

  const { dependencies: _inside, ...fields } = publishedManifest(packageJson);
  const manifest = {
    ...fields,
    bin: { "sandbox-agent": "bin/sandbox-agent.js" },
    optionalDependencies: Object.fromEntries(platforms.map((platform) => [packageName(platform), fields.version])),
  };
  writePackageFiles(outdir, manifest, readFileSync(join(cli, "README.md"), "utf8"));
}

export function buildPlatformPackage(outdir: string, platform: Platform, binary: string): void {
  rmSync(outdir, { recursive: true, force: true });
  const executable = join(outdir, "bin", platform.os === "win32" ? "sandbox-agent.exe" : "sandbox-agent");
  cpSync(binary, executable);
  chmodSync(executable, 0o755);

  const { version, license, type } = packageJson;
  const { os, cpu, libc } = platform;
  const manifest = {
    name: packageName(platform),
    version,
    description: `The sandbox-agent executable for ${platform.name}; installed by @sandbox-agent/cli`,
    license,
    type,
    os: [os],
    cpu: [cpu],
    ...(libc && { libc: [libc] }),
    // Executables cannot be run from within an archive, as Yarn keeps packages otherwise.
    preferUnplugged: true,
  };
  const readme = `# ${manifest.name}\n\n${manifest.description}. Install that one.\n`;
  writePackageFiles(outdir, manifest, readme);
}

function packageName({ name }: Platform): string {
  return `@sandbox-agent/cli-${name}`;
}
