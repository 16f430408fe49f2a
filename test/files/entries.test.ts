/** Looking at directories and changing them: list, stat, mkdir, move, delete. */
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, utimesSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { mountDisk } from "../harness/disk.ts";
import { expectProblem } from "../harness/problem.ts";
import { fs, plant, startFilesLab } from "./lab.ts";

const when = new Date("2020-02-03T04:05:06.000Z");

describe("the entries of a directory", () => {
  test("are listed by name, with what each is", async () => {
    const { client, root } = await startFilesLab({ "b.txt": "four", ".hidden": "", sub: null, "a name": "x" });
    utimesSync(join(root, "b.txt"), when, when);
    const { json } = await client.get(fs("entries"));
    expect(json.map(({ name }: { name: string }) => name)).toEqual([".hidden", "a name", "b.txt", "sub"]);
    expect(json[2]).toEqual({
      name: "b.txt",
      path: join(root, "b.txt"),
      entryType: "file",
      size: 4,
      modified: when.toISOString(),
    });
    expect(json[3]).toMatchObject({ path: join(root, "sub"), entryType: "directory" });
  });

  test("that are links have their target and the target's type", async () => {
    const { client, root } = await startFilesLab({
      "dir/file": "12345",
      "1": { to: "dir" },
      "2": { to: "dir/file" },
      "3": { to: "nowhere" },
      "4": { to: "/" },
    });
    const { json } = await client.get(fs("entries"));
    expect(json.slice(0, 4)).toMatchObject([
      { name: "1", path: join(root, "1"), entryType: "directory", symlink: "dir" },
      { name: "2", entryType: "file", size: 5, symlink: "dir/file" },
      { name: "3", entryType: "other", symlink: "nowhere" },
      { name: "4", entryType: "other", symlink: "/" },
    ]);
  });

  test("are found below a link to a directory, under their real path", async () => {
    const { client, root } = await startFilesLab({ "dir/file": "", link: { to: "dir" } });
    const { json } = await client.get(fs("entries", { path: "link" }));
    expect(json).toMatchObject([{ name: "file", path: join(root, "dir/file") }]);
  });

  test("of 3000 files are all there", async () => {
    const names = Array.from({ length: 3000 }, (_, index) => `f${index}`);
    const { client } = await startFilesLab(Object.fromEntries(names.map((name) => [name, ""])));
    const { json } = await client.get(fs("entries"));
    expect(json.map(({ name }: { name: string }) => name)).toEqual(names.sort());
  });

  test.each([
    ["missing", "ENOENT"],
    ["file", "ENOTDIR"],
    ["file/below", "ENOTDIR"],
  ])("cannot be had of %s", async (path, code) => {
    const { client, root } = await startFilesLab({ file: "" });
    const details = { path: join(root, path), code };
    expectProblem(await client.get(fs("entries", { path })), "invalid_request", { details });
  });
});

describe("relative paths", () => {
  test("start at the directory of the session that is named", async () => {
    const { client, root } = await startFilesLab({ "work/here": "found" });
    await client.create("a", { directory: join(root, "work") });
    const { text } = await client.get(fs("file", { path: "here", session_id: "a" }));
    expect(text).toBe("found");
    const { json } = await client.get(fs("entries", { sessionId: "a" }));
    expect(json).toMatchObject([{ name: "here" }]);
  });

  test("need a session that exists", async () => {
    const { client } = await startFilesLab();
    const answer = await client.get(fs("entries", { session_id: "nobody" }));
    expectProblem(answer, "session_not_found", { sessionId: "nobody" });
  });

  test("start at the home directory when there is no fs root", async () => {
    const client = await startTestClient();
    const { json } = await client.get(fs("stat", { path: "." }));
    expect(json.path).toBe(homedir());
  });

  test("must not have `..`", async () => {
    const { client } = await startFilesLab({ "a/b": "" });
    expectProblem(await client.get(fs("stat", { path: "a/../a/b" })), "invalid_request");
  });
});

describe("stat", () => {
  test("has type, size and time", async () => {
    const { client, root } = await startFilesLab({ "a/b": "abc" });
    utimesSync(join(root, "a/b"), when, when);
    const file = { path: join(root, "a/b"), entryType: "file", size: 3, modified: when.toISOString() };
    expect((await client.get(fs("stat", { path: "a/b" }))).json).toEqual(file);
    expect((await client.get(fs("stat", { path: `${root}/a/../a/./b` }))).json).toEqual(file);
    expect((await client.get(fs("stat", { path: "a" }))).json).toMatchObject({ entryType: "directory" });
    expect((await client.get(fs("stat", { path: root }))).json).toMatchObject({ path: root, entryType: "directory" });
  });

  test("of a missing path is a problem", async () => {
    const { client, root } = await startFilesLab();
    expectProblem(await client.get(fs("stat", { path: "x" })), "invalid_request", {
      detail: `invalid request: ${root}/x does not exist`,
      details: { path: `${root}/x`, code: "ENOENT" },
    });
  });

  test.each(["", "a\0b", "x".repeat(5000)])("of the path %j is rejected", async (path) => {
    const { client } = await startFilesLab();
    const answer = await client.get(fs("stat", { path }));
    expect([answer.status, answer.json.details.where]).toEqual([400, "query"]);
  });

  test("needs a path, and one whose names are not too long", async () => {
    const { client } = await startFilesLab();
    expect((await client.get(fs("stat"))).status).toBe(400);
    expect((await client.get(fs("stat", { path: "x".repeat(300) }))).json.details.code).toBe("ENAMETOOLONG");
  });
});

describe("mkdir", () => {
  test("creates a directory and its parents, and is content with one that exists", async () => {
    const { client, root } = await startFilesLab();
    for (let time = 0; time < 2; time += 1) {
      const { status, json } = await client.post(fs("mkdir", { path: "a/b/c" }));
      expect([status, json]).toEqual([200, { path: join(root, "a/b/c") }]);
    }
    expect(lstatSync(join(root, "a/b/c")).isDirectory()).toBe(true);
  });

  test("twenty times at once is fine", async () => {
    const { client } = await startFilesLab();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => client.post(fs("mkdir", { path: `a/b/c/${index % 2}` }))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  });

  test.each(["file", "file/below"])("does not replace a file: %s", async (path) => {
    const { client, root } = await startFilesLab({ file: "stays" });
    const answer = await client.post(fs("mkdir", { path }));
    expect([answer.status, answer.json.details.code]).toEqual([400, "ENOTDIR"]);
    expect(readFileSync(join(root, "file"), "utf8")).toBe("stays");
  });
});

describe("delete", () => {
  test.each([
    ["file", false],
    ["empty", false],
    ["full", true],
    ["full/inner", false],
    ["link", true],
  ])("takes away %s", async (path, recursive) => {
    const tree = { file: "", empty: null, "full/inner": "", "full/deep/er": "", link: { to: "full" } };
    const { client, root } = await startFilesLab(tree);
    const { status, json } = await client.delete(fs("entry", { path, recursive }));
    expect([status, json]).toEqual([200, { path: join(root, path) }]);
    expect(readdirSync(root)).toHaveLength(path.includes("/") ? 4 : 3);
    expect(existsSync(join(root, "full"))).toBe(path !== "full");
  });

  test("of a directory that is not empty must be asked for", async () => {
    const { client, root } = await startFilesLab({ "full/inner": "" });
    const details = { path: join(root, "full"), code: "ENOTEMPTY" };
    expectProblem(await client.delete(fs("entry", { path: "full" })), "conflict", { details });
    expect(existsSync(join(root, "full/inner"))).toBe(true);
  });

  test("of nothing is a problem, of the root too", async () => {
    const { client, root } = await startFilesLab({ a: null });
    expect((await client.delete(fs("entry", { path: "missing" }))).status).toBe(400);
    for (const path of [".", root, `${root}/a/..`])
      expectProblem(await client.delete(fs("entry", { path, recursive: true })), "invalid_request", {
        details: { path: root },
      });
    expect(existsSync(join(root, "a"))).toBe(true);
  });
});

describe("move", () => {
  const tree = { file: "file", other: "other", "dir/in": "in", "full/old": "old", empty: null, link: { to: "file" } };

  test.each([
    ["file", "new/place/f", "new/place/f", "file"],
    ["dir", "elsewhere", "elsewhere/in", "in"],
    ["link", "moved", "moved", "file"],
  ])("takes %s to %s and creates what is missing", async (from, to, at, content) => {
    const { client, root } = await startFilesLab(tree);
    const { status, json } = await client.post(fs("move"), { from, to });
    expect([status, json]).toEqual([200, { from: join(root, from), to: join(root, to) }]);
    expect(readFileSync(join(root, at), "utf8")).toBe(content);
    expect(readdirSync(root)).not.toContain(from);
  });

  test("moves a link itself, not what it leads to", async () => {
    const { client, root } = await startFilesLab(tree);
    await client.post(fs("move"), { from: "link", to: "moved" });
    expect(readlinkSync(join(root, "moved"))).toBe("file");
  });

  test.each(["other", "full", "empty", "link"])("does not replace %s unasked", async (to) => {
    const { client, root } = await startFilesLab(tree);
    const details = { path: join(root, to), code: "EEXIST" };
    expectProblem(await client.post(fs("move"), { from: "file", to }), "invalid_request", { details });
    expect(readdirSync(root).sort()).toEqual(Object.keys(topOf(tree)).sort());
  });

  test.each([
    ["file", "other", "other", "file"],
    ["file", "full", "full", "file"],
    ["file", "link", "link", "file"],
    ["dir", "other", "other/in", "in"],
    ["dir", "full", "full/in", "in"],
    ["dir", "empty", "empty/in", "in"],
  ])("replaces when asked: %s to %s", async (from, to, at, content) => {
    const { client, root } = await startFilesLab(tree);
    expect((await client.post(fs("move"), { from, to, overwrite: true })).status).toBe(200);
    expect(readFileSync(join(root, at), "utf8")).toBe(content);
    const left = Object.keys(topOf(tree)).filter((name) => name !== from);
    expect(readdirSync(root).sort()).toEqual(left.sort());
    expect(existsSync(join(root, "full/old"))).toBe(to !== "full");
  });

  test.each([
    ["missing", "full"],
    ["dir", "dir/in/side"],
    ["full/old", "full"],
    ["full", "full/old"],
    [".", "full"],
    ["full", "."],
  ])("that cannot be done leaves everything: %s to %s", async (from, to) => {
    const { client, root } = await startFilesLab(tree);
    expect((await client.post(fs("move"), { from, to, overwrite: true })).status).toBe(400);
    expect(readFileSync(join(root, "full/old"), "utf8")).toBe("old");
    expect(readdirSync(root).sort()).toEqual(Object.keys(topOf(tree)).sort());
  });

  test("to itself changes nothing", async () => {
    const { client, root } = await startFilesLab(tree);
    expect((await client.post(fs("move"), { from: "file", to: "file" })).status).toBe(200);
    expect(readFileSync(join(root, "file"), "utf8")).toBe("file");
  });

  test("to another file system is rejected, and its target stays", async (context) => {
    const { client, root } = await startFilesLab(tree);
    const disk = join(root, "disk");
    mkdirSync(disk);
    mountDisk(context, disk);
    plant(disk, { "old/kept": "kept" });
    const answer = await client.post(fs("move"), { from: "dir", to: "disk/old", overwrite: true });
    expect([answer.status, answer.json.details.code]).toEqual([400, "EXDEV"]);
    expect(readFileSync(join(disk, "old/kept"), "utf8")).toBe("kept");
    expect(readdirSync(disk)).toEqual(["old"]);
  });

  test.each([{}, { from: "a" }, { from: "a", to: "" }, { from: "a", to: "b", overwrite: "yes" }])(
    "is refused with the body %j",
    async (body) => {
      const { client } = await startFilesLab();
      expect((await client.post(fs("move"), body)).status).toBe(400);
    },
  );
});

test("the fs root must be a directory", async () => {
  const directory = temporaryDirectory();
  plant(directory, { file: "" });
  for (const fsRoot of [join(directory, "missing"), join(directory, "file")])
    await expect(startTestClient({ fsRoot })).rejects.toThrow(/--fs-root .* is not a directory/);
});

/** The names at the top of a tree. */
function topOf(tree: Record<string, unknown>): Record<string, true> {
  return Object.fromEntries(Object.keys(tree).map((path) => [path.split("/")[0], true]));
}
