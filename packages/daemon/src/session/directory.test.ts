import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { requireDirectory } from "./directory.ts";

test("a directory becomes an absolute path; the default is the daemon's own", async () => {
  expect(await requireDirectory(relative(process.cwd(), tmpdir()))).toBe(tmpdir());
  expect(await requireDirectory(null)).toBe(process.cwd());
});

test("a path that is no directory or does not exist is a problem that names it", async () => {
  const file = join(import.meta.dirname, "directory.ts");
  const missing = join(import.meta.dirname, "missing");
  await expect(requireDirectory(file)).rejects.toThrow(`directory ${file} is not a directory`);
  await expect(requireDirectory(missing)).rejects.toThrow(`directory ${missing} does not exist`);
});
