/** Searching names and content, by ourselves and with ripgrep, which must agree. */
import { dirname, join, relative } from "node:path";
import type { SearchMatch } from "@sandbox-agent/schema";
import { rgPath } from "@vscode/ripgrep";
import { describe, expect, onTestFinished, test } from "vitest";
import { startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { type FilesLab, fs, plant, startFilesLab, type Tree } from "./lab.ts";

const tree: Tree = {
  ".git/config": "needle",
  ".gitignore": "ignored/\n*.log\n!keep.log\n/top-only\n",
  ".hidden/needle.txt": "a needle",
  "ignored/needle.txt": "needle",
  "a.log": "needle",
  "keep.log": "needle",
  "top-only": "needle",
  "src/top-only": "needle",
  "src/.gitignore": "generated\n",
  "src/generated/x": "needle",
  "src/main.ts": "one\nthe Needle and the needle\nthree\r\n  needle\r\n",
  "src/deep/Needle.md": "ünïcode — needle",
  binary: "needle\0needle",
  "plain.txt": "nothing here",
  "link.txt": { to: "src/main.ts" },
};

type Engine = (tree?: Tree) => Promise<FilesLab>;

/** Without ripgrep on the path, and below an fs root, we search ourselves. */
const engines: [string, Engine][] = [
  ["ourselves", startFilesLab],
  ["ripgrep", ripgrepLab],
];

async function ripgrepLab(tree: Tree = {}): Promise<FilesLab> {
  const { PATH } = process.env;
  process.env.PATH = `${dirname(rgPath)}:${PATH}`;
  onTestFinished(() => void (process.env.PATH = PATH));
  const root = temporaryDirectory();
  plant(root, tree);
  return { client: await startTestClient(), root };
}

async function find({ client, root }: FilesLab, query: Record<string, string>) {
  const { json } = await client.get(fs("search", { path: root, ...query }));
  const matches: SearchMatch[] = json.matches;
  return {
    truncated: json.truncated,
    matches: matches.map((match) => ({ ...match, path: relative(root, match.path) })),
  };
}

async function names(lab: FilesLab, query: Record<string, string>): Promise<string[]> {
  return [...new Set((await find(lab, query)).matches.map(({ path }) => path))].sort();
}

describe("by name", () => {
  test.each([
    ["needle", [".hidden/needle.txt", "src/deep/Needle.md"]],
    ["Needle", ["src/deep/Needle.md"]],
    ["deep/n", ["src/deep/Needle.md"]],
    ["*.TS", []],
    ["*.ts", ["src/main.ts"]],
    ["*.log", ["keep.log"]],
    ["src/**/*.md", ["src/deep/Needle.md"]],
    ["*.{md,ts}", ["src/deep/Needle.md", "src/main.ts"]],
    ["top-only", ["src/top-only"]],
    ["config", []],
    ["link.txt", []],
    ["(", []],
  ])("%s", async (query, found) => {
    expect(await names(await startFilesLab(tree), { query })).toEqual(found);
  });
});

describe.each(engines)("by content, with %s", (_, start) => {
  test("finds text with its line, and leaves out what is ignored, binary or a link", async () => {
    const lab = await start(tree);
    const { matches, truncated } = await find(lab, { query: "needle", in: "content" });
    expect(truncated).toBe(false);
    expect(matches.toSorted((a, b) => `${a.path}${a.line}`.localeCompare(`${b.path}${b.line}`, "en"))).toEqual([
      { path: ".hidden/needle.txt", line: 1, column: 3, text: "a needle" },
      { path: "keep.log", line: 1, column: 1, text: "needle" },
      { path: "src/deep/Needle.md", line: 1, column: 11, text: "ünïcode — needle" },
      { path: "src/main.ts", line: 2, column: 5, text: "the Needle and the needle" },
      { path: "src/main.ts", line: 4, column: 3, text: "  needle" },
      { path: "src/top-only", line: 1, column: 1, text: "needle" },
    ]);
  });

  test.each([
    ["Needle and", ["src/main.ts"]],
    ["NEEDLE", []],
    [".*", []],
    ["--files", []],
    ["-e", ["dash"]],
    ["ünï", ["src/deep/Needle.md"]],
  ])("takes %s as it is", async (query, found) => {
    expect(await names(await start({ ...tree, dash: "an -e option" }), { query, in: "content" })).toEqual(found);
  });

  test("knows the rules of the repository that a directory lies in", async () => {
    const lab = await start({ ...tree, "src/ignored/x": "needle", "src/deep/y.log": "needle" });
    const { json } = await lab.client.get(fs("search", { path: `${lab.root}/src`, query: "needle", in: "content" }));
    const paths = json.matches.map(({ path }: SearchMatch) => relative(lab.root, path));
    expect([...new Set(paths)].sort()).toEqual(["src/deep/Needle.md", "src/main.ts", "src/top-only"]);
  });

  test("stops at the limit and is marked as truncated", async () => {
    const lab = await start(
      Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, "needle\nneedle"])),
    );
    expect(await find(lab, { query: "needle", in: "content", limit: "60" })).toMatchObject({ truncated: false });
    const cut = await find(lab, { query: "needle", in: "content", limit: "7" });
    expect([cut.matches.length, cut.truncated]).toEqual([7, true]);
  });

  test("shows no more than 500 characters of a line, and skips files over 16 MB", async () => {
    const lab = await start({ long: `${"x".repeat(1_000_000)}needle`, huge: `needle${" ".repeat(17_000_000)}` });
    const { matches } = await find(lab, { query: "needle", in: "content" });
    expect(matches).toEqual([{ path: "long", line: 1, column: 1_000_001, text: "x".repeat(500) }]);
  });
});

describe("a search", () => {
  test("starts at the session's directory", async () => {
    const { client, root } = await startFilesLab({ "work/here": "", "elsewhere/here": "" });
    await client.create("s", { directory: join(root, "work") });
    const { json } = await client.get(fs("search", { query: "here", session_id: "s" }));
    expect(json.matches).toEqual([{ path: join(root, "work/here") }]);
  });

  test.each<Record<string, string>>([{}, { query: "" }, { query: "x", in: "all" }, { query: "x", limit: "many" }])(
    "is refused with %j",
    async (query) => {
      const { client } = await startFilesLab();
      expect((await client.get(fs("search", query))).status).toBe(400);
    },
  );

  test.each(["missing", "file"])("needs a directory: %s", async (path) => {
    const { client } = await startFilesLab({ file: "" });
    expect((await client.get(fs("search", { path, query: "x" }))).status).toBe(400);
  });
});
