import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../../../test/harness/daemon.ts";
import { openDatabase } from "../store/database.ts";
import { CheckpointTable } from "./checkpoint-table.ts";
import { Workspaces } from "./workspaces.ts";

test("a shadow repository without checkpoints is deleted, but not while a turn is running", async () => {
  const [directory, shadows] = [temporaryDirectory(), temporaryDirectory()];
  writeFileSync(join(directory, "a"), "1");
  const workspaces = new Workspaces(new CheckpointTable(openDatabase(":memory:")), { shadows, idleMs: 0 });
  onTestFinished(() => workspaces.close());
  const workspace = workspaces.at(directory);
  const use = workspace.begin();
  const before = await workspace.snapshot("now");
  await workspaces.sweep(directory);
  expect(readdirSync(shadows)).toHaveLength(1);
  writeFileSync(join(directory, "a"), "2");
  const { files } = await workspace.diff(before, await workspace.snapshot("now"));
  expect(files.map(({ path }) => path)).toEqual(["a"]);
  use.ended();
  use.released();
  await workspaces.sweep(directory);
  expect(readdirSync(shadows)).toEqual([]);
});
