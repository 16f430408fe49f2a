import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStage, type Stage } from "./stage.ts";

const tsc = join(import.meta.dirname, "../../node_modules/.bin/tsc");

let stage: Stage;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.remove());

describe("the package as it is published", () => {
  test("has types that a strict project accepts without runtime types", async () => {
    const compilerOptions = {
      target: "ESNext",
      module: "NodeNext",
      lib: ["ESNext", "DOM", "DOM.AsyncIterable"],
      types: [],
      strict: true,
      skipLibCheck: false,
      noEmit: true,
    };
    writeFileSync(join(stage.directory, "package.json"), '{"type":"module"}');
    writeFileSync(join(stage.directory, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["tour.ts"] }));
    const { stdout } = Bun.spawnSync([tsc, "-p", stage.directory]);
    expect(stdout.toString()).toBe("");
  });

  test("imports no runtime modules and no zod in its core", () => {
    const core = readFileSync(join(stage.directory, "node_modules/sandbox-agent/index.js"), "utf8");
    const imports = [...core.matchAll(/\b(?:from|import)\s*\(?"([^"]+)"/g)].map(([, name]) => name);
    expect([...new Set(imports)].toSorted()).toEqual(["eventsource-parser", "sandbox-agent/embedded"]);
    expect(core.length).toBeLessThan(100_000);
  });

  test("exports only files that exist", () => {
    const root = join(stage.directory, "node_modules/sandbox-agent");
    const { exports, dependencies, name } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const files = [...JSON.stringify(exports).matchAll(/"(\.\/[^"]+\.(?:js|d\.ts))"/g)].map(([, file = ""]) => file);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    expect(files.length).toBeGreaterThan(4);
    expect([name, Object.keys(dependencies)]).toEqual(["sandbox-agent", ["eventsource-parser"]]);
  });
});
