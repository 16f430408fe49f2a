/** Archives in and out: what real tar makes, what comes broken, and that a tree survives the round trip. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { mountDisk } from "../harness/disk.ts";
import { expectProblem } from "../harness/problem.ts";
import { connected, fs, openBelow, plant, startFilesLab, type Tree, tar, tarType } from "./lab.ts";

const when = new Date("2020-02-03T04:05:06.000Z");
const longName = `${"long/".repeat(40)}${"n".repeat(120)}`;
const tree: Tree = {
  "a.txt": "a",
  "dir/b": "b".repeat(70_000),
  "dir/empty": null,
  "dir/link": { to: "../a.txt" },
  "ä ö/ü": "umlaut",
  [longName]: "far down",
};

describe("upload-batch", () => {
  test.each([
    ["tar", "-cf", "application/x-tar", []],
    ["tar.gz", "-czf", "application/gzip", []],
    ["gzip under another name", "-czf", "application/x-tar", []],
    ["pax", "-cf", "application/x-gtar", ["--format=pax"]],
    ["ustar without long names", "-cf", "application/x-tar; charset=binary", ["--format=ustar", "--exclude=long"]],
  ])("unpacks what tar made: %s", async (_, mode, type, flags) => {
    const source = temporaryDirectory();
    plant(source, tree);
    chmodSync(join(source, "a.txt"), 0o751);
    utimesSync(join(source, "a.txt"), when, when);
    const archive = runTar(["-C", source, ...flags, mode, "-", "."]);
    const { client, root } = await startFilesLab();
    const headers = { "content-type": type };
    const { status, json } = await client.post(fs("upload-batch", { path: "new/place" }), archive, { headers });
    expect(status).toBe(200);
    const place = join(root, "new/place");
    expect(json.paths).toContain(join(place, "dir/empty"));
    expect(json.truncated).toBe(false);
    expect(readFileSync(join(place, "dir/b"), "utf8")).toBe("b".repeat(70_000));
    expect(readFileSync(join(place, "ä ö/ü"), "utf8")).toBe("umlaut");
    expect(readlinkSync(join(place, "dir/link"))).toBe("../a.txt");
    expect(lstatSync(join(place, "a.txt")).mode & 0o777).toBe(0o751);
    expect(lstatSync(join(place, "a.txt")).mtime).toEqual(when);
    if (!flags.includes("--exclude=long")) expect(readFileSync(join(place, longName), "utf8")).toBe("far down");
  });

  test("unpacks hard links", async () => {
    const { client, root } = await startFilesLab();
    const archive = await tar({ name: "one", body: "same" }, { name: "two", type: "link", linkname: "one" });
    expect((await client.post(fs("upload-batch"), archive, tarType)).status).toBe(200);
    expect(readFileSync(join(root, "two"), "utf8")).toBe("same");
    expect(lstatSync(join(root, "two")).ino).toBe(lstatSync(join(root, "one")).ino);
    expect((await client.post(fs("upload-batch"), archive, tarType)).status).toBe(200);
    expect(readdirSync(root).sort()).toEqual(["one", "two"]);
  });

  test("starts at the session's directory, and replaces files that are there", async () => {
    const { client, root } = await startFilesLab({ "work/a": "old", "work/kept": "kept" });
    await client.create("s", { directory: join(root, "work") });
    const archive = await tar({ name: "a", body: "new" });
    const { json } = await client.post(fs("upload-batch", { session_id: "s" }), archive, tarType);
    expect(json).toEqual({ paths: [join(root, "work/a")], truncated: false });
    expect(readFileSync(join(root, "work/a"), "utf8")).toBe("new");
    expect(readdirSync(join(root, "work")).sort()).toEqual(["a", "kept"]);
  });

  test("lists 1024 paths and writes them all", async () => {
    const { client, root } = await startFilesLab();
    const archive = await tar(...Array.from({ length: 1100 }, (_, index) => ({ name: `d/f${index}`, body: "x" })));
    const { json } = await client.post(fs("upload-batch"), archive, tarType);
    expect([json.paths.length, json.truncated]).toEqual([1024, true]);
    expect(readdirSync(join(root, "d"))).toHaveLength(1100);
  });

  test("may come in single bytes", async () => {
    const { client, root } = await startFilesLab();
    const archive = Bun.gzipSync(await tar({ name: "a", body: "drop by drop" }));
    const bytes = [...archive].values();
    const body = new ReadableStream({
      pull(controller) {
        const { value, done } = bytes.next();
        if (done) controller.close();
        else controller.enqueue(Uint8Array.of(value));
      },
    });
    expect((await client.post(fs("upload-batch"), body, tarType)).status).toBe(200);
    expect(readFileSync(join(root, "a"), "utf8")).toBe("drop by drop");
  });

  test("without an fs root leaves links as they are, but never writes through them", async () => {
    const directory = temporaryDirectory();
    plant(directory, { "outside/kept": "kept", inside: null });
    const client = await startTestClient();
    const upload = fs("upload-batch", { path: join(directory, "inside") });
    const link = { name: "l", type: "symlink", linkname: join(directory, "outside") } as const;
    expect((await client.post(upload, await tar(link), tarType)).status).toBe(200);
    expect(readlinkSync(join(directory, "inside/l"))).toBe(link.linkname);
    const through = await client.post(upload, await tar(link, { name: "l/kept", body: "changed" }), tarType);
    expect(through.status).toBe(403);
    expect(readFileSync(join(directory, "outside/kept"), "utf8")).toBe("kept");
  });

  test.each([
    ["a file over a directory", { name: "dir", body: "x" }, "conflict"],
    ["a link over a directory", { name: "dir", type: "symlink", linkname: "x" }, "conflict"],
    ["a directory over a file", { name: "file/", type: "directory" }, "invalid_request"],
    ["a file below a file", { name: "file/below" }, "invalid_request"],
  ] as const)("does not put %s", async (_, entry, kind) => {
    const { client, root } = await startFilesLab({ file: "file", "dir/in": "in" });
    const answer = await client.post(fs("upload-batch"), await tar(entry), tarType);
    expect(answer.json.type).toBe(`urn:sandbox-agent:error:${kind}`);
    expect(readFileSync(join(root, "file"), "utf8")).toBe("file");
    expect(readFileSync(join(root, "dir/in"), "utf8")).toBe("in");
    expect(readdirSync(root).sort()).toEqual(["dir", "file"]);
  });

  test("to where a file is, is a problem", async () => {
    const { client } = await startFilesLab({ file: "" });
    expect((await client.post(fs("upload-batch", { path: "file" }), await tar({ name: "a" }), tarType)).status).toBe(
      400,
    );
  });

  test.each(["application/zip", "application/json", "text/plain", ""])("is not made of %s", async (type) => {
    const { client } = await startFilesLab();
    const answer = await client.post(fs("upload-batch"), await tar({ name: "a" }), {
      headers: { "content-type": type },
    });
    expectProblem(answer, "unsupported_media_type");
  });
});

describe("a broken archive is a problem", () => {
  const whole = () => tar({ name: "a", body: "a".repeat(5000) });
  const cases: [string, () => Promise<Uint8Array<ArrayBuffer>>][] = [
    ["nothing", async () => new Uint8Array()],
    ["one byte", async () => Uint8Array.of(0x1f)],
    ["garbage", async () => new TextEncoder().encode("garbage ".repeat(1000))],
    ["cut in a header", async () => (await whole()).slice(0, 300)],
    ["cut in a file", async () => (await whole()).slice(0, 3000)],
    ["a wrong checksum", async () => (await whole()).with(0, 98)],
    ["a size beyond the end", async () => tamper(await whole(), 124, "77777777777")],
    ["a size that is no number", async () => tamper(await whole(), 124, "xxxxxxxxxxx")],
    ["gzip of garbage", async () => Bun.gzipSync("garbage ".repeat(1000))],
    ["gzip cut short", async () => Bun.gzipSync(await whole()).slice(0, 60)],
    ["a damaged gzip", async () => Bun.gzipSync(await whole()).fill(0, 10, 40)],
  ];

  test.each(cases)("%s", async (_, archive) => {
    const { client, root } = await startFilesLab();
    const answer = await client.post(fs("upload-batch"), await archive(), tarType);
    expectProblem(answer, "invalid_request");
    expect(readdirSync(root)).toEqual([]);
  });
});

test("an archive without an end is a problem, though what came whole stays", async () => {
  const { client, root } = await startFilesLab();
  const archive = (await tar({ name: "a", body: "a" })).slice(0, 1024);
  expectProblem(await client.post(fs("upload-batch"), archive, tarType), "invalid_request");
  expect(readdirSync(root)).toEqual(["a"]);
});

test("a disk that fills up while unpacking is a problem, and the daemon continues", async (context) => {
  const root = temporaryDirectory();
  mountDisk(context, root, "size=4m");
  const client = await startTestClient({ fsRoot: root });
  const archive = await tar({ name: "small", body: "fits" }, { name: "large", body: "x".repeat(8_000_000) });
  const answer = await client.post(fs("upload-batch"), archive, tarType);
  expectProblem(answer, "storage_unavailable", { details: { path: `${root}/.`, code: "ENOSPC" } });
  expect(readdirSync(root)).toEqual(["small"]);
});

test("a client that goes away while sending leaves what came whole, and nothing open", async () => {
  const { client, root } = await startFilesLab();
  const archive = await tar({ name: "whole", body: "whole" }, { name: "half", body: "x".repeat(3_000_000) });
  const socket = await connected(client.url);
  const head = `content-type: application/x-tar\r\ncontent-length: ${archive.byteLength}`;
  socket.write(`POST ${fs("upload-batch")} HTTP/1.1\r\nhost: localhost\r\n${head}\r\n\r\n`);
  socket.write(archive.subarray(0, 1_000_000));
  await expect.poll(() => readdirSync(root).length).toBe(2);
  socket.destroy();
  await expect.poll(() => readdirSync(root)).toEqual(["whole"]);
  await expect.poll(() => openBelow(root)).toEqual([]);
});

describe("download", () => {
  test("gives what tar can unpack", async () => {
    const { client, root } = await startFilesLab({ "some dir": null });
    plant(join(root, "some dir"), tree);
    utimesSync(join(root, "some dir/a.txt"), when, when);
    chmodSync(join(root, "some dir/a.txt"), 0o640);
    const response = await client.fetch("GET", fs("download", { path: "some dir" }));
    expect(response.headers.get("content-type")).toBe("application/gzip");
    expect(response.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''some%20dir.tar.gz");
    const target = temporaryDirectory();
    runTar(["-C", target, "-xzf", "-"], new Uint8Array(await response.arrayBuffer()));
    expect(Bun.spawnSync(["diff", "-r", "--no-dereference", join(root, "some dir"), target]).stdout.toString()).toBe(
      "",
    );
    expect(lstatSync(join(target, "a.txt")).mtime).toEqual(when);
    expect(lstatSync(join(target, "a.txt")).mode & 0o777).toBe(0o640);
  });

  test("and upload make the same tree", async () => {
    const { client, root } = await startFilesLab({ from: null });
    plant(join(root, "from"), tree);
    const response = await client.fetch("GET", fs("download", { path: "from" }));
    const archive = new Uint8Array(await response.arrayBuffer());
    await client.post(fs("upload-batch", { path: "to" }), archive, { headers: { "content-type": "application/gzip" } });
    const { stdout } = Bun.spawnSync(["diff", "-r", "--no-dereference", join(root, "from"), join(root, "to")]);
    expect(stdout.toString()).toBe("");
  });

  test("leaves out pipes, and holds nothing for an empty directory", async () => {
    const { client, root } = await startFilesLab({ empty: null });
    Bun.spawnSync(["mkfifo", join(root, "empty/pipe")]);
    const response = await client.fetch("GET", fs("download", { path: "empty" }));
    expect(runTar(["-tzf", "-"], new Uint8Array(await response.arrayBuffer())).toString()).toBe("");
  });

  test.each(["missing", "file"])("needs a directory: %s", async (path) => {
    const { client } = await startFilesLab({ file: "" });
    expect((await client.get(fs("download", { path }))).status).toBe(400);
  });

  test("by HEAD has the headers only", async () => {
    const { client } = await startFilesLab();
    const response = await client.fetch("HEAD", fs("download"));
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/gzip"]);
  });

  test("to a client that goes away closes everything", async () => {
    const { client, root } = await startFilesLab({ "d/e": null });
    mkdirSync(join(root, "d/e/f"));
    const noise = crypto.getRandomValues(new Uint8Array(65_536));
    writeFileSync(join(root, "d/e/f/large"), Buffer.concat(Array(400).fill(noise)));
    for (let time = 0; time < 3; time += 1) {
      const controller = new AbortController();
      const response = await client.fetch("GET", fs("download"), { signal: controller.signal });
      await response.body?.getReader().read();
      controller.abort();
    }
    await expect.poll(() => openBelow(root)).toEqual([]);
  });
});

function runTar(args: string[], stdin: Uint8Array = new Uint8Array()): Buffer<ArrayBuffer> {
  const { success, stdout, stderr } = Bun.spawnSync(["tar", ...args], { stdin });
  if (!success) throw new Error(stderr.toString());
  return Buffer.from(stdout);
}

/** Puts text into the first header and makes its checksum right again. */
function tamper(archive: Uint8Array<ArrayBuffer>, offset: number, text: string): Uint8Array<ArrayBuffer> {
  archive.set(new TextEncoder().encode(text), offset);
  archive.fill(32, 148, 156);
  const sum = archive.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  archive.set(new TextEncoder().encode(`${sum.toString(8).padStart(6, "0")}\0 `), 148);
  return archive;
}
