import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { httpReference } from "../generate/http-reference.ts";

test("docs/reference/http.md is up to date; if not, run `npm run generate`", () => {
  const reference = readFileSync(join(import.meta.dirname, "../../../docs/reference/http.md"), "utf8");
  expect(reference).toBe(httpReference());
});
