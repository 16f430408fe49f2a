/** Builds the inspector into dist/, unless the last build is newer than all sources. */
import { existsSync, globSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";

const root = import.meta.dirname;
const output = join(root, "dist/index.html");
const sources = ["src/**/*", "public/*", "index.html", "*.ts", "package.json", "../sdk/src/**/*", "../schema/src/**/*"];

export async function buildInspector(): Promise<void> {
  if (isFresh()) return;
  // So that an interrupted build is not considered fresh.
  rmSync(output, { force: true });
  // Under a test runner NODE_ENV is `test`, which would build React for development.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = "production";
  await build({ root, configFile: join(root, "vite.config.ts"), logLevel: "warn" });
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
}

function isFresh(): boolean {
  if (!existsSync(output)) return false;
  const built = statSync(output).mtimeMs;
  return globSync(sources, { cwd: root }).every((path) => statSync(join(root, path)).mtimeMs <= built);
}

/** The global setup of vitest. */
export default buildInspector;

if (import.meta.main) await buildInspector();
