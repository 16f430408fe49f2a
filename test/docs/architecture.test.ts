/** ARCHITECTURE.md and CONTRIBUTING.md: short enough, and what they name exists. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "./page.ts";

const read = (file: string) => readFileSync(join(root, file), "utf8");

test("ARCHITECTURE.md has at most 15,000 bytes", () => {
  expect(Buffer.byteLength(read("ARCHITECTURE.md"))).toBeLessThanOrEqual(15_000);
});

describe.each(["ARCHITECTURE.md", "CONTRIBUTING.md", "AGENTS.md"])("%s", (file) => {
  test("names files and folders that exist", () => {
    const named = [...read(file).matchAll(/`((?:packages|test|docs|scripts|bench|soak|examples)\/[\w./-]*)`/g)];
    const missing = named.map(([, path]) => path ?? "").filter((path) => !existsSync(join(root, path)));
    expect(missing).toEqual([]);
  });
});

test("every folder of the daemon is in the table", () => {
  const text = read("ARCHITECTURE.md");
  const folders = [...new Bun.Glob("*/").scanSync({ cwd: join(root, "packages/daemon/src"), onlyFiles: false })];
  expect(folders.length).toBeGreaterThan(10);
  expect(folders.filter((folder) => !text.includes(`\`${folder.replace(/\/?$/, "/")}\``))).toEqual([]);
});
