/** The committed protocol of Codex is that of the pinned version, and the types are made from it. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { zodModule } from "../../packages/agents/schemas/codex/zod.ts";
import { committed, extract, modulePath } from "../../packages/agents/schemas/codex.ts";
import { installer } from "./lab.ts";

test("the artifact is what the pinned program says", async () => {
  const { path } = await installer.require("codex");
  expect(await extract(path)).toEqual(await committed());
}, 120_000);

test("the types are made from the artifact", async () => {
  const { definitions, version } = await committed();
  expect(readFileSync(modulePath, "utf8")).toBe(zodModule(definitions, version));
});
