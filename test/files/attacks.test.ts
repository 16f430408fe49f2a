/**
 * Ways out of the fs root. Whatever is tried, nothing outside is read or changed. What is tried is always aimed at a
 * directory of the test's own, so that a success harms nothing.
 */
import {
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Daemon, defaultOptions, startDaemon } from "@sandbox-agent/daemon";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Answer, TestClient } from "../harness/client.ts";
import { fs, plant, type TarEntry, tar, tarType } from "./lab.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "sandbox-agent-attacks-")));
const inside = join(base, "inside");
const outside = join(base, "outside");
const secret = "top secret";

let daemon: Daemon;
let client: TestClient;

beforeAll(async () => {
  mkdirSync(inside);
  daemon = await startDaemon({ ...defaultOptions, port: 0, ephemeral: true, fsRoot: inside });
  client = new TestClient(daemon.url);
});
afterAll(async () => {
  await daemon.stop();
  rmSync(base, { recursive: true, force: true });
});

beforeEach(() => {
  for (const name of readdirSync(inside)) rmSync(join(inside, name), { recursive: true });
  rmSync(outside, { recursive: true, force: true });
  plant(base, { "outside/secret.txt": secret, "outside/dir/kept": "kept", "inside-evil/secret.txt": secret });
  plant(inside, {
    "a/b/c/file": "mine",
    "dest/sibling": "mine",
    file: "mine",
    "link-file": { to: join(outside, "secret.txt") },
    "link-dir": { to: outside },
    "rel-dir": { to: "../outside" },
    "deep/rel-dir": { to: "../../outside" },
    chain1: { to: "chain2" },
    chain2: { to: "a/../rel-dir" },
    slash: { to: "/" },
    magic: { to: "/proc/self/root" },
    cwd: { to: "/proc/self/cwd" },
    up: { to: ".." },
    "a/up-up": { to: "../.." },
    deeper: { to: "a/b/c" },
    "loop-1": { to: "loop-2" },
    "loop-2": { to: "loop-1" },
    "self-loop": { to: "self-loop/x" },
    evil: { to: join(base, "inside-evil") },
    "prefix-trick": { to: `${inside}/../outside` },
  });
});

const paths: [string, string][] = [
  ["a relative path upwards", "../outside"],
  ["upwards from below", "a/../../outside"],
  ["upwards after a dot", "./../outside"],
  ["upwards many times", `${"../".repeat(30)}${outside}`],
  ["an absolute path", outside],
  ["an absolute path with more slashes", `//${outside}`],
  ["an absolute path upwards from the root", `${inside}/../outside`],
  ["an absolute path upwards from below", `${inside}/a/b/../../../outside`],
  ["an absolute path upwards through what does not exist", `${inside}/missing/../../outside`],
  ["a directory whose name begins like the root", `${inside}-evil`],
  ["the root of the process", `/proc/self/root${outside}`],
  ["the root of another process", `/proc/1/root${outside}`],
  ["the working directory of the process", `/proc/self/cwd${"/..".repeat(30)}${outside}`],
  ["a link to a directory", "link-dir"],
  ["a relative link to a directory", "rel-dir"],
  ["a relative link in a directory", "deep/rel-dir"],
  ["a chain of links", "chain1"],
  ["a link to everything", `slash${outside}`],
  ["a link to the root of the process", `magic${outside}`],
  ["a link to the working directory of the process", `${inside}/cwd${"/..".repeat(30)}${outside}`],
  ["a link upwards", "up/outside"],
  ["a link two directories upwards", "a/up-up/outside"],
  ["upwards from where a link leads", `${inside}/deeper/../../../../outside`],
  ["upwards from a link upwards", `${inside}/up/../${base.split("/").at(-1)}/outside`],
  ["a link to a directory whose name begins like the root", "evil"],
  ["a link that begins like the root", "prefix-trick"],
  ["two links in a circle", "loop-1"],
  ["a link to below itself", "self-loop"],
];

/** Everything that takes a path, aimed at a directory, at a file in it and at something new in it. */
const attempts: [string, (path: string) => Promise<Answer>][] = [
  ["entries", (path) => client.get(fs("entries", { path: `${path}/dir` }))],
  ["read", (path) => client.get(fs("file", { path: `${path}/secret.txt` }))],
  ["stat", (path) => client.get(fs("stat", { path: `${path}/secret.txt` }))],
  ["overwrite", (path) => client.put(fs("file", { path: `${path}/secret.txt` }), "changed")],
  ["create", (path) => client.put(fs("file", { path: `${path}/new/file` }), "changed")],
  ["mkdir", (path) => client.post(fs("mkdir", { path: `${path}/new` }))],
  ["delete a file", (path) => client.delete(fs("entry", { path: `${path}/secret.txt` }))],
  ["delete a tree", (path) => client.delete(fs("entry", { path: `${path}/dir`, recursive: true }))],
  ["move in", (path) => client.post(fs("move"), { from: `${path}/secret.txt`, to: "loot" })],
  ["move out", (path) => client.post(fs("move"), { from: "file", to: `${path}/secret.txt`, overwrite: true })],
  ["download", (path) => client.get(fs("download", { path: `${path}/dir` }))],
  ["search", (path) => client.get(fs("search", { path: `${path}/.`, query: "secret", in: "content" }))],
  ["unpack", async (path) => client.post(fs("upload-batch", { path }), await tar({ name: "new" }), tarType)],
];

describe.each(paths)("%s", (_, path) => {
  test("leads nowhere", async () => {
    const before = snapshot();
    const statuses: Record<string, number> = {};
    for (const [name, attempt] of attempts) {
      const { status, text } = await attempt(path);
      expect(text).not.toContain(secret);
      statuses[name] = status;
    }
    expect(snapshot()).toEqual(before);
    expect(Object.entries(statuses).filter(([, status]) => status !== 400 && status !== 403)).toEqual([]);
  });
});

describe("a link at the end of a path", () => {
  test.each(["link-file", "link-dir"])("is deleted, not what it leads to: %s", async (path) => {
    const before = snapshot();
    expect((await client.delete(fs("entry", { path, recursive: true }))).status).toBe(200);
    expect(snapshot()).toEqual(before);
  });

  test.each(["link-file", "link-dir"])("is moved, not what it leads to: %s", async (from) => {
    const before = snapshot();
    expect((await client.post(fs("move"), { from, to: "moved" })).status).toBe(200);
    expect(lstatSync(join(inside, "moved")).isSymbolicLink()).toBe(true);
    expect(snapshot()).toEqual(before);
  });

  test.each(["link-file", "link-dir"])("is replaced, not what it leads to: %s", async (to) => {
    const before = snapshot();
    expect((await client.post(fs("move"), { from: "file", to, overwrite: true })).status).toBe(200);
    expect(readFileSync(join(inside, to), "utf8")).toBe("mine");
    expect(snapshot()).toEqual(before);
  });

  test("is not written through", async () => {
    const before = snapshot();
    expect((await client.put(fs("file", { path: "link-file" }), "changed")).status).toBe(403);
    expect((await client.get(fs("file", { path: "link-file" }))).status).toBe(403);
    expect(snapshot()).toEqual(before);
  });

  test("is listed and packed as a link, without what it leads to", async () => {
    const { json } = await client.get(fs("entries"));
    expect(json.find(({ name }: { name: string }) => name === "link-file")).toMatchObject({ entryType: "other" });
    const response = await client.fetch("GET", fs("download"));
    const archive = Bun.gunzipSync(await response.arrayBuffer());
    expect(Buffer.from(archive).includes(secret)).toBe(false);
  });

  test("is not searched", async () => {
    const { json } = await client.get(fs("search", { query: "secret", in: "content" }));
    expect(json).toEqual({ matches: [], truncated: false });
  });
});

test("a hard link to a file outside is replaced, not written through", async () => {
  linkSync(join(outside, "secret.txt"), join(inside, "hard"));
  expect((await client.put(fs("file", { path: "hard" }), "changed")).status).toBe(200);
  expect((await client.post(fs("upload-batch"), await tar({ name: "hard", body: "again" }), tarType)).status).toBe(200);
  expect(readFileSync(join(inside, "hard"), "utf8")).toBe("again");
  expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe(secret);
});

describe("a name that looks like a way out is only a name", () => {
  test.each([
    "..\\outside\\secret.txt",
    ".../outside/secret.txt",
    "....//outside/secret.txt",
    "%2e%2e/outside/secret.txt",
    "..%2foutside/secret.txt",
    "..%c0%af/secret.txt",
    "‥/outside/secret.txt",
    "．．/outside/secret.txt",
    "~/secret.txt",
    "$HOME/secret.txt",
    "file:/etc/secret.txt",
    "-rf/secret.txt",
    "a;touch x/secret.txt",
  ])("%s", async (path) => {
    const before = snapshot();
    expect((await client.get(fs("file", { path }))).status).toBe(400);
    expect((await client.put(fs("file", { path }), "inside")).status).toBe(200);
    expect((await client.get(fs("file", { path }))).text).toBe("inside");
    expect(snapshot()).toEqual(before);
  });
});

const archives: [string, TarEntry[]][] = [
  ["a name upwards", [{ name: "../evil" }]],
  ["a name upwards to a sibling", [{ name: "../file" }]],
  ["a name upwards from below", [{ name: "x/../../evil" }]],
  ["a name upwards after a dot", [{ name: "./../evil" }]],
  ["a name that ends upwards", [{ name: "x/y/.." }]],
  ["a directory upwards", [{ name: "../evil/", type: "directory" }]],
  ["an absolute name", [{ name: join(outside, "evil") }]],
  ["an absolute name with more slashes", [{ name: `//${outside}/evil` }]],
  ["a name that an extension replaces", [{ name: "harmless", pax: { path: "../evil" } }]],
  ["an absolute name in an extension", [{ name: "harmless", pax: { path: join(outside, "evil") } }]],
  ["a long name upwards", [{ name: `${"x/".repeat(150)}${"../".repeat(152)}evil` }]],
  ["a link out", [link("l", outside)]],
  ["a relative link out", [link("l", "../../outside")]],
  ["a link out from below", [link("x/y/l", "../../../../outside")]],
  ["a link to everything", [link("l", "/")]],
  ["a link to the root of the process", [link("l", "/proc/self/root")]],
  ["a link that an extension replaces", [{ ...link("l", "harmless"), pax: { linkpath: outside } }]],
  ["a link to nothing", [link("l", "")]],
  ["a file through a link to a sibling", [link("l", ".."), { name: "l/file", body: "changed" }]],
  ["a file through a chain of links", [link("l", "."), link("l/m", ".."), { name: "l/m/file" }]],
  ["a file through a link made of two", [link("x/up", ".."), link("y", "x/up/.."), { name: "y/file" }]],
  ["a file through a link in a circle", [link("l", "l"), { name: "l/evil" }]],
  ["a directory through a link", [link("l", ".."), { name: "l/evil/", type: "directory" }]],
  ["a link through a link", [link("l", ".."), link("l/evil", "file")]],
  ["a file through a link that was there", [{ name: "was-there/evil" }]],
  ["a directory through a link that was there", [{ name: "was-there/evil/", type: "directory" }]],
  ["a directory that is a link out", [{ name: "was-there/", type: "directory" }]],
  ["a hard link to an absolute path", [hard("h", join(outside, "secret.txt"))]],
  ["a hard link upwards", [hard("h", "../../outside/secret.txt")]],
  ["a hard link to a sibling", [hard("h", "../file")]],
  ["a hard link through a link", [hard("h", "was-there/secret.txt")]],
  ["a hard link to a link", [link("l", "sibling"), hard("h", "l")]],
  ["a hard link to a directory", [{ name: "d/", type: "directory" }, hard("h", "d")]],
  ["a hard link to nothing", [hard("h", "missing")]],
  ["a hard link that an extension replaces", [{ ...hard("h", "x"), pax: { linkpath: "../../outside/secret.txt" } }]],
  ["a character device", [{ name: "dev", type: "character-device" }]],
  ["a block device", [{ name: "dev", type: "block-device" }]],
  ["a pipe", [{ name: "pipe", type: "fifo" }]],
];

describe("an archive with", () => {
  test.each(archives)("%s is rejected", async (_, entries) => {
    plant(inside, { "dest/was-there": { to: outside } });
    const before = snapshot();
    const answer = await client.post(fs("upload-batch", { path: "dest" }), await tar(...entries), tarType);
    expect([400, 403, 413]).toContain(answer.status);
    expect(answer.text).not.toContain(secret);
    expect(snapshot()).toEqual(before);
    expect(readFileSync(join(inside, "file"), "utf8")).toBe("mine");
    expect(readlinkSync(join(inside, "evil"))).toBe(`${inside}-evil`);
    expect(readdirSync(join(inside, "dest")).filter((name) => name.startsWith(".sandbox-agent"))).toEqual([]);
  });

  test("a file in the place of a link that was there replaces the link", async () => {
    plant(inside, { "dest/was-there": { to: join(outside, "secret.txt") } });
    const before = snapshot();
    const archive = await tar({ name: "was-there", body: "changed" });
    expect((await client.post(fs("upload-batch", { path: "dest" }), archive, tarType)).status).toBe(200);
    expect(readFileSync(join(inside, "dest/was-there"), "utf8")).toBe("changed");
    expect(snapshot()).toEqual(before);
  });

  test("a file in the place of a hard link leaves its other names alone", async () => {
    const archive = await tar(
      hard("copy", "sibling"),
      { name: "copy", body: "changed" },
      { name: "sibling", body: "also changed" },
    );
    expect((await client.post(fs("upload-batch", { path: "dest" }), archive, tarType)).status).toBe(200);
    expect(readFileSync(join(inside, "dest/copy"), "utf8")).toBe("changed");
    expect(readFileSync(join(inside, "dest/sibling"), "utf8")).toBe("also changed");
  });

  test("rights that the file would lend loses them", async () => {
    const archive = await tar({ name: "tool", mode: 0o6755 }, { name: "sticky/", type: "directory", mode: 0o7777 });
    expect((await client.post(fs("upload-batch", { path: "dest" }), archive, tarType)).status).toBe(200);
    expect(lstatSync(join(inside, "dest/tool")).mode & 0o7777).toBe(0o755);
    expect(lstatSync(join(inside, "dest/sticky")).mode & 0o7000).toBe(0);
  });

  test.each([link("l", outside), link("l", "../../outside")])(
    "a link out into the root itself is refused",
    async (entry) => {
      const before = snapshot();
      expect((await client.post(fs("upload-batch"), await tar(entry), tarType)).status).toBe(403);
      expect(snapshot()).toEqual(before);
    },
  );
});

function link(name: string, linkname: string): TarEntry {
  return { name, type: "symlink", linkname };
}

function hard(name: string, linkname: string): TarEntry {
  return { name, type: "link", linkname };
}

/** Everything outside: names, contents, modes and times. */
function snapshot(): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const top of readdirSync(base).filter((name) => name !== "inside")) {
    for (const name of ["", ...readdirSync(join(base, top), { recursive: true, encoding: "utf8" })]) {
      const path = join(base, top, name);
      const { mode, mtimeMs, nlink } = lstatSync(path);
      const content = lstatSync(path).isFile() ? readFileSync(path, "utf8") : null;
      found[path] = { mode, mtimeMs, nlink, content };
    }
  }
  return found;
}
