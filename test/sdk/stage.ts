/** A project with the published SDK: built, installed, and run by different runtimes. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { buildSdkPackage } from "../../scripts/release/sdk-package.ts";

const root = join(import.meta.dirname, "../..");

export interface Stage {
  directory: string;
  /** Compiles a program to JavaScript and returns its path. */
  compiled(name: string): Promise<string>;
  remove(): void;
}

export async function createStage(): Promise<Stage> {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-stage-"));
  const modules = join(directory, "node_modules");
  mkdirSync(join(modules, "@sandbox-agent"), { recursive: true });
  await buildSdkPackage(join(modules, "sandbox-agent"));
  symlinkSync(join(root, "node_modules/eventsource-parser"), join(modules, "eventsource-parser"));
  symlinkSync(join(root, "packages/cli"), join(modules, "@sandbox-agent/cli"));
  cpSync(join(import.meta.dirname, "programs"), directory, { recursive: true });
  return {
    directory,
    async compiled(name) {
      const entry = join(directory, `${name}.ts`);
      const { success, logs } = await Bun.build({
        entrypoints: [entry],
        outdir: directory,
        naming: "[name].mjs",
        target: "node",
        external: ["sandbox-agent"],
      });
      if (!success) throw new AggregateError(logs, `cannot compile ${name}`);
      return join(directory, `${name}.mjs`);
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** The real Node: under `bun --bun`, the first `node` on PATH is Bun. */
export function realNode(): string {
  const candidates = (process.env.PATH ?? "").split(delimiter).map((directory) => join(directory, "node"));
  const found = candidates.find((candidate) => {
    try {
      return execFileSync(candidate, ["-p", "process.versions.bun ?? 'node'"], { encoding: "utf8" }).trim() === "node";
    } catch {
      return false;
    }
  });
  if (!found) throw new Error("cannot find Node on PATH");
  return found;
}

/** Runs a program and returns its output, parsed as JSON. */
export async function report(command: string[], options: { cwd?: string; env?: Record<string, string> } = {}) {
  const child = Bun.spawn(command, {
    stdout: "pipe",
    stderr: "pipe",
    ...options,
    env: { ...process.env, ...options.env },
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`${command.join(" ")} exited with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}
