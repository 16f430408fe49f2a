/**
 * Builds the published SDK: JavaScript with the fold of the schema bundled, source maps with sources, declarations, and a manifest
 * that points to them instead of `src`. Part of `npm run build:packages`.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import packageJson from "../../packages/sdk/package.json" with { type: "json" };
import { publishedManifest, workspace, writePackageFiles } from "./published-manifest.ts";
import { writeDeclarations } from "./sdk-declarations.ts";

const sdk = join(workspace, "packages/sdk");
/** External dependencies. The schema is bundled. */
const { "@sandbox-agent/schema": _, ...dependencies } = packageJson.dependencies;

/** An entry of `exports`: a file, or one per condition. */
type Target = string | { [condition: string]: Target };

export async function buildSdkPackage(outdir: string): Promise<void> {
  const entries = Object.values(packageJson.exports).flatMap(filesOf);
  await bundle(entries, outdir);
  writeDeclarations(entries, outdir);
  writePackageFiles(outdir, manifest(), readFileSync(join(sdk, "README.md"), "utf8"));
}

async function bundle(entries: string[], outdir: string): Promise<void> {
  const { success, logs } = await Bun.build({
    entrypoints: entries.map((entry) => join(sdk, entry)),
    root: join(sdk, "src"),
    outdir,
    target: "browser",
    format: "esm",
    sourcemap: "linked",
    external: ["node:*", "sandbox-agent", ...Object.keys(dependencies)],
  });
  if (!success) throw new AggregateError(logs, "cannot bundle the SDK");
  for (const file of readdirSync(outdir, { recursive: true, encoding: "utf8" })) {
    if (file.endsWith(".js.map")) nameSources(file, outdir);
  }
}

/** Makes source paths relative to the workspace; the bundler writes them relative to `outdir`. */
function nameSources(file: string, outdir: string): void {
  const path = join(outdir, file);
  const map: { sources: string[] } = JSON.parse(readFileSync(path, "utf8"));
  const root = relative(dirname(file), "");
  const sources = map.sources.map((source) => join(root, relative(workspace, resolve(outdir, source))));
  writeFileSync(path, JSON.stringify({ ...map, sources }));
}

function manifest(): object {
  const { exports, ...fields } = publishedManifest(packageJson);
  return { ...fields, exports: publishedTarget(exports), dependencies };
}

function filesOf(target: Target): string[] {
  return typeof target === "string" ? [target] : Object.values(target).flatMap(filesOf);
}

function publishedTarget(target: Target): Target {
  if (typeof target !== "string") {
    return Object.fromEntries(Object.entries(target).map(([name, inner]) => [name, publishedTarget(inner)]));
  }
  const name = target.replace("./src/", "./").replace(/\.ts$/, "");
  return { types: `${name}.d.ts`, default: `${name}.js` };
}
