import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cliReference } from "../generate/reference.ts";
import { createProgram } from "./program.ts";

test("docs/reference/cli.md is up to date; if not, run `npm run generate`", async () => {
  const reference = readFileSync(join(import.meta.dirname, "../../../docs/reference/cli.md"), "utf8");
  expect(reference).toBe(cliReference(await createProgram()));
});
