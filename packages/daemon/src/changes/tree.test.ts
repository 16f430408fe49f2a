import { statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../../test/harness/daemon.ts";
import { defaultLimits } from "./limits.ts";
import { Tree } from "./tree.ts";

test("a file that was rewritten with its old time and size has changed", async () => {
  const root = temporaryDirectory();
  const file = join(root, "a");
  const write = (content: string) => {
    writeFileSync(file, content);
    utimesSync(file, 1000, 1000);
  };
  write("one");
  const tree = new Tree(root, defaultLimits, { added: () => {}, removed: () => {} });
  expect(await tree.scan("all")).toEqual([{ path: "a", kind: "created" }]);
  expect(await tree.scan("all")).toEqual([]);
  const { ino, size, mtimeMs, ctimeMs } = statSync(file);
  // Waits until the clock of the file system has advanced.
  while (statSync(file).ctimeMs === ctimeMs) write("two");
  expect(statSync(file)).toMatchObject({ ino, size, mtimeMs });
  expect(await tree.scan("all")).toEqual([{ path: "a", kind: "modified" }]);
});
