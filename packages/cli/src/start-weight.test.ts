/** What has to be loaded before a server listens: every module here costs every start. */
import { join, relative } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");

/** The program, the command, and the daemon that the command imports. */
const loaded = ["packages/cli/src/main.ts", "packages/cli/src/commands/server.ts", "packages/daemon/src/index.ts"];

test("a start loads neither zod nor modules that only requests need", async () => {
  const modules = await modulesOf(loaded);
  expect(modules).toContain("packages/daemon/src/store/database.ts");
  expect(modules.filter((path) => path.includes("node_modules") && !path.includes("/commander/"))).toEqual([]);
  expect(modules.filter((path) => path.startsWith("packages/schema/"))).toEqual(["packages/schema/src/problem.ts"]);
  expect(modules.filter((path) => path.startsWith("packages/agents/")).toSorted()).toEqual([
    "packages/agents/src/credentials/secret-variables.ts",
    "packages/agents/src/draft.ts",
    "packages/agents/src/process/tree.ts",
  ]);
});

test("agent definitions are validated without loading the rest of the schema", async () => {
  const modules = await modulesOf(["packages/agents/src/catalog/definition-file.ts"]);
  expect(modules.filter((path) => path.startsWith("packages/schema/")).toSorted()).toEqual([
    "packages/schema/src/agent-definition.ts",
    "packages/schema/src/lazy.ts",
    "packages/schema/src/problem.ts",
  ]);
});

/** The modules that are evaluated with these, those left out that are imported when they are needed. */
async function modulesOf(entries: string[]): Promise<string[]> {
  const { metafile } = await Bun.build({
    entrypoints: entries.map((path) => join(root, path)),
    target: "bun",
    metafile: true,
  });
  const found = new Set<string>();
  const visit = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    const imports = metafile?.inputs[path]?.imports ?? [];
    for (const { path: imported, kind } of imports) if (kind === "import-statement") visit(imported);
  };
  const known = Object.keys(metafile?.inputs ?? {});
  for (const entry of entries) visit(known.find((path) => relative(root, join(process.cwd(), path)) === entry) ?? "");
  return [...found].map((path) => relative(root, join(process.cwd(), path)));
}
