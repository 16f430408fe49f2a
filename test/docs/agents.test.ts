import { expect, test } from "vitest";
import { manifest } from "../../packages/agents/src/install/manifest.ts";
import { read } from "./markdown.ts";

test("docs/agents.md has the pinned version of every agent", () => {
  const page = read("docs/agents.md");
  for (const [id, { version }] of Object.entries(manifest)) expect(page).toContain(`| \`${id}\` | ${version} |`);
});

test("the README lists every agent", () => {
  const readme = read("README.md");
  for (const id of Object.keys(manifest)) expect(readme).toContain(`| \`${id}\` |`);
});
