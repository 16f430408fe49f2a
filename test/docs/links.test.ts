import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { anchorsOf, linksOf, pages, read, workspace } from "./markdown.ts";

describe("every link leads to a file and heading that exist", () => {
  test.each(pages())("%s", (page) => {
    expect(linksOf(page).filter((target) => !resolves(page, target))).toEqual([]);
  });
});

test("the README is short", () => {
  expect(Buffer.byteLength(read("README.md"))).toBeLessThanOrEqual(12_000);
});

test("every page can be found from docs/README.md", () => {
  const reached = new Set<string>();
  const visit = (page: string) => {
    if (reached.has(page)) return;
    reached.add(page);
    const linked = linksOf(page).filter((target) => !isExternal(target));
    for (const target of linked) if (pathOf(page, target).endsWith(".md")) visit(pathOf(page, target));
  };
  visit("docs/README.md");
  expect(pages().filter((page) => page.startsWith("docs/") && !reached.has(page))).toEqual([]);
});

function resolves(page: string, target: string): boolean {
  if (isExternal(target)) return true;
  const path = pathOf(page, target);
  const anchor = target.split("#")[1];
  if (!existsSync(join(workspace, path))) return false;
  return anchor === undefined || anchorsOf(path).has(anchor);
}

/** Links to the web are not followed: a test must not need the internet. */
function isExternal(target: string): boolean {
  return /^(https?|mailto):/.test(target);
}

function pathOf(page: string, target: string): string {
  const [path = ""] = target.split("#");
  return path === "" ? page : normalize(join(dirname(page), path));
}
