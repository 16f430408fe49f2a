import { statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../../test/harness/daemon.ts";
import { defaultLimits } from "./limits.ts";
import { Tree } from "./tree.ts";

test("a file that was written in place and given its old time and size has changed", async () => {
  const root = temporaryDirectory();
  const file = join(root, "a");
  const write = (content: string) => {
    writeFileSync(file, content);
    utimesSync(file, 1000, 1000);
  };
  write("one");
  const tree = new Tree(root, defaultLimits, { added: () => {}, removed: () => {} });
  expect(await tree.look("all")).toEqual([{ path: "a", kind: "created" }]);
  expect(await tree.look("all")).toEqual([]);
  const { ino, size, mtimeMs, ctimeMs } = statSync(file);
  // Until the clock of the file system has moved on.
  while (statSync(file).ctimeMs === ctimeMs) write("two");
  expect(statSync(file)).toMatchObject({ ino, size, mtimeMs });
  expect(await tree.look("all")).toEqual([{ path: "a", kind: "modified" }]);
});
