import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../../../test/harness/daemon.ts";
import { isIgnored, outerRules, rulesAbove, withOwnRules } from "./ignore-rules.ts";
import { openRoot } from "./root.ts";

function directoryWith(files: Record<string, string>): string {
  const root = temporaryDirectory();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

const named = (path: string) => ({ at: path, path });

describe("rules of parent directories", () => {
  test("apply in a subdirectory of a repository", () => {
    const root = directoryWith({ ".git/HEAD": "", ".gitignore": "*.log\n", "a/.gitignore": "*.tmp\n", "a/b/c": "" });
    const below = join(root, "a/b");
    const chain = withOwnRules(outerRules(below), named(below));
    const names = ["x.log", "x.tmp", "x.txt"].filter((name) => isIgnored(chain, below, name, false));
    expect(names).toEqual(["x.log", "x.tmp"]);
  });

  test("include the repository's info/exclude", () => {
    const root = directoryWith({ ".git/info/exclude": "private\n" });
    expect(isIgnored(outerRules(root), root, "private", true)).toBe(true);
  });

  test("do not apply in a directory that they ignore", () => {
    const root = directoryWith({ ".git/HEAD": "", ".gitignore": "/scratch\n", "scratch/mine/a": "" });
    expect(outerRules(join(root, "scratch/mine"))).toEqual([]);
  });

  test("end at an fs root, and do not apply in a directory that they ignore there", () => {
    const root = directoryWith({
      ".git/HEAD": "",
      ".gitignore": "build\n",
      "a/.gitignore": "*.tmp\n",
      "a/b/build/c": "",
    });
    expect(rulesAbove(openRoot(null), join(root, "a/b")).map(({ directory }) => directory)).toEqual([
      root,
      join(root, "a"),
    ]);
    expect(rulesAbove(openRoot(join(root, "a")), join(root, "a/b"))).toEqual([]);
    expect(rulesAbove(openRoot(root), join(root, "a/b/build"))).toEqual([]);
  });

  test("do not exist outside of repositories", () => {
    const root = directoryWith({ ".gitignore": "*.log\n", "a/b": "" });
    expect(outerRules(join(root, "a"))).toEqual([]);
  });
});

describe("a directory's own rules", () => {
  test("can negate those of the parents", () => {
    const root = directoryWith({ ".gitignore": "*.log\n", "a/.gitignore": "!keep.log\n" });
    const chain = withOwnRules(withOwnRules([], named(root)), named(join(root, "a")));
    const ignored = ["keep.log", "other.log"].map((name) => isIgnored(chain, join(root, "a"), name, false));
    expect(ignored).toEqual([false, true]);
  });

  test("distinguish directories from files", () => {
    const root = directoryWith({ ".gitignore": "build/\n" });
    const chain = withOwnRules([], named(root));
    expect([isIgnored(chain, root, "build", true), isIgnored(chain, root, "build", false)]).toEqual([true, false]);
  });

  test("are not read through a link", () => {
    const root = directoryWith({ rules: "*.log\n" });
    symlinkSync("rules", join(root, ".gitignore"));
    expect(withOwnRules([], named(root))).toEqual([]);
  });
});
