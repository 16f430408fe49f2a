/**
 * The packages of the executable: `@sandbox-agent/cli`, which is a launcher, and one package per platform with the executable, which
 * are its optional dependencies. Part of `npm run build:packages`.
 */
import { chmodSync, cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../packages/cli/package.json" with { type: "json" };
import type { Target } from "./platforms.ts";
import { publishedManifest, workspace, writePackageFiles } from "./published-manifest.ts";

const cli = join(workspace, "packages/cli");

export async function buildLauncherPackage(outdir: string, targets: readonly Target[]): Promise<void> {
  const { success, logs, outputs } = await Bun.build({
    entrypoints: [join(cli, "src/npm-launcher.ts")],
    outdir: join(outdir, "bin"),
    naming: "sandbox-agent.js",
    target: "node",
    format: "esm",
    banner: "#!/usr/bin/env node",
  });
  if (!success) throw new AggregateError(logs, "cannot bundle the launcher");
  for (const { path } of outputs) chmodSync(path, 0o755);

  const { dependencies: _inside, ...fields } = publishedManifest(packageJson);
  const manifest = {
    ...fields,
    bin: { "sandbox-agent": "bin/sandbox-agent.js" },
    optionalDependencies: Object.fromEntries(targets.map((target) => [packageName(target), fields.version])),
  };
  writePackageFiles(outdir, manifest, readFileSync(join(cli, "README.md"), "utf8"));
}

export function buildPlatformPackage(outdir: string, target: Target, binary: string): void {
  const executable = join(outdir, "bin", target.os === "win32" ? "sandbox-agent.exe" : "sandbox-agent");
  cpSync(binary, executable);
  chmodSync(executable, 0o755);

  const { version, license, type } = packageJson;
  const manifest = {
    name: packageName(target),
    version,
    description: `The sandbox-agent executable for ${target.name}; installed by @sandbox-agent/cli`,
    license,
    type,
    os: [target.os],
    cpu: [target.cpu],
    ...(target.os === "linux" && { libc: [target.name.endsWith("-musl") ? "musl" : "glibc"] }),
    // Yarn keeps packages in archives by default, from which executables cannot run.
    preferUnplugged: true,
  };
  const readme = `# ${manifest.name}\n\n${manifest.description}. Install that one.\n`;
  writePackageFiles(outdir, manifest, readme);
}

function packageName({ name }: Target): string {
  return `@sandbox-agent/cli-${name}`;
}
