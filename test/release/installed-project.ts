/** An empty project with the packages as users get them: built, packed, and installed from the tarballs by npm, offline. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { buildPackages } from "../../scripts/release/packages.ts";
import { workspace } from "../../scripts/release/published-manifest.ts";
import { realNode } from "../sdk/stage.ts";
import { hostBinary } from "./executable.ts";

export interface Packed {
  name: string;
  version: string;
  /** The build directory. */
  directory: string;
  tarball: string;
  files: { path: string; mode: number }[];
}

export interface InstalledProject {
  directory: string;
  packages: Packed[];
  /** Runs a program in the project with the real Node as `node`, and waits until it exits. */
  run(command: string[], env?: Record<string, string>): Promise<Ended>;
  remove(): void;
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export const node = realNode();
const npm = join(dirname(node), "npm");
/** `node` is Node: under `bun --bun` the first on PATH is Bun. */
const path = [dirname(node), process.env.PATH].join(delimiter);

export async function createInstalledProject(): Promise<InstalledProject> {
  const root = mkdtempSync(join(tmpdir(), "sandbox-agent-release-"));
  const directory = join(root, "project");
  const run: InstalledProject["run"] = (command, env = {}) =>
    runIn(directory, command, { npm_config_cache: join(root, "cache"), ...env });
  mkdirSync(directory);
  writeFileSync(join(directory, "package.json"), '{"name":"empty","private":true,"type":"module"}');

  await hostBinary(join(root, "binaries"));
  const packages: Packed[] = [];
  for (const built of await buildPackages(join(root, "npm"), join(root, "binaries"))) {
    packages.push(await pack(built, root, run));
  }
  const dependency = await pack(join(workspace, "node_modules/eventsource-parser"), root, run);
  const tarballs = [...packages, dependency].map(({ tarball }) => tarball);
  succeeded(await run([npm, "install", "--offline", "--no-audit", "--no-fund", ...tarballs]));
  return { directory, packages, run, remove: () => rmSync(root, { recursive: true, force: true }) };
}

async function pack(directory: string, to: string, run: InstalledProject["run"]): Promise<Packed> {
  const { stdout } = succeeded(
    await run([npm, "pack", directory, "--json", "--ignore-scripts", "--pack-destination", to]),
  );
  const [{ name, version, filename, files }] = JSON.parse(stdout);
  return { name, version, directory, tarball: join(to, filename), files };
}

async function runIn(directory: string, command: string[], env: Record<string, string>): Promise<Ended> {
  const child = Bun.spawn(command, {
    cwd: directory,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, PATH: path, ...env },
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  await child.exited;
  return { code: child.exitCode, stdout, stderr };
}

function succeeded(ended: Ended): Ended {
  if (ended.code !== 0) throw new Error(`exited with ${ended.code}: ${ended.stdout}${ended.stderr}`);
  return ended;
}
