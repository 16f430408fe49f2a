import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withCommands } from "../generate/readme.ts";
import { createProgram } from "./program.ts";

test("the README lists the commands as they are; if not, run `npm run generate`", async () => {
  const readme = readFileSync(join(import.meta.dirname, "../../../README.md"), "utf8");
  expect(withCommands(readme, await createProgram())).toBe(readme);
});
