/** The committed types are those of the pinned OpenCode. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { committed, extract, modulePath } from "../../packages/agents/schemas/opencode.ts";
import { zodModule } from "../../packages/agents/schemas/opencode-zod.ts";
import { installer } from "./lab.ts";

test("the pinned program describes its API as the committed artifact does", async () => {
  const { path } = await installer.require("opencode");
  expect(await extract(path)).toEqual(await committed());
}, 120_000);

test("the generated module is made from the committed artifact", async () => {
  const { definitions, version } = await committed();
  expect(readFileSync(modulePath, "utf8")).toBe(zodModule(definitions, version));
});
