/**
 * `npm run build -w packages/sdk`: the package as it is published, in `dist`. JavaScript with the fold of the schema
 * inside, declarations beside it, and a manifest that points to them.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };

const root = join(import.meta.dirname, "../../..");
const sdk = join(root, "packages/sdk");

export async function buildPackage(outdir = join(sdk, "dist")): Promise<void> {
  rmSync(outdir, { recursive: true, force: true });
  await bundle(outdir);
  await declarations(outdir);
  writeFileSync(join(outdir, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
  cpSync(join(root, "LICENSE"), join(outdir, "LICENSE"));
}

async function bundle(outdir: string): Promise<void> {
  const entries = ["index.ts", "embedded/index.ts", "embedded/unavailable.ts"];
  const { success, logs } = await Bun.build({
    entrypoints: entries.map((entry) => join(sdk, "src", entry)),
    root: join(sdk, "src"),
    outdir,
    target: "browser",
    format: "esm",
    external: ["node:*", "sandbox-agent/embedded", "eventsource-parser"],
  });
  if (!success) throw new AggregateError(logs, "the SDK could not be bundled");
}

async function declarations(outdir: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "sandbox-agent-sdk-"));
  const config = join(work, "tsconfig.json");
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(root, "tsconfig.json"),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        rootDir: join(root, "packages"),
        outDir: join(work, "types"),
        typeRoots: [join(root, "node_modules/@types")],
      },
      include: [join(sdk, "src")],
    }),
  );
  try {
    const { exitCode, stdout } = Bun.spawnSync([join(root, "node_modules/.bin/tsc"), "-p", config]);
    if (exitCode !== 0) throw new Error(`declarations could not be written:\n${stdout}`);
    cpSync(join(work, "types/sdk/src"), outdir, { recursive: true });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function manifest(): object {
  const { devDependencies, scripts, dependencies, ...published } = packageJson;
  const { "@sandbox-agent/schema": _, ...outside } = dependencies;
  const none = { types: "./embedded/unavailable.d.ts", default: "./embedded/unavailable.js" };
  return {
    ...published,
    exports: {
      ".": { types: "./index.d.ts", default: "./index.js" },
      "./embedded": {
        browser: none,
        workerd: none,
        types: "./embedded/index.d.ts",
        default: "./embedded/index.js",
      },
    },
    dependencies: outside,
  };
}

if (import.meta.main) await buildPackage();
