/** Writing files: all or nothing, and only if the conditions hold. */
import { chmodSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { mountDisk } from "../harness/disk.ts";
import { expectProblem } from "../harness/problem.ts";
import { connected, type FilesLab, fs, startFilesLab } from "./lab.ts";

const file = fs("file", { path: "file" });

describe("writing", () => {
  test("creates a file and its directories", async () => {
    const { client, root } = await startFilesLab();
    const path = "new/place/ä file";
    const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => index % 256);
    const { status, json } = await client.put(fs("file", { path }), bytes);
    expect([status, json]).toEqual([200, { path: join(root, path), bytesWritten: 300_000 }]);
    expect(new Uint8Array(readFileSync(join(root, path)))).toEqual(bytes);
    expect(readdirSync(join(root, "new/place"))).toEqual(["ä file"]);
  });

  test.each(["text/plain", "application/json", "application/x-www-form-urlencoded", "multipart/form-data", ""])(
    "takes the bytes whatever they are called: %s",
    async (type) => {
      const { client, root } = await startFilesLab({ file: "old" });
      await client.put(file, "{not json", { headers: { "content-type": type } });
      expect(readFileSync(join(root, "file"), "utf8")).toBe("{not json");
    },
  );

  test("nothing makes an empty file", async () => {
    const { client, root } = await startFilesLab({ file: "old" });
    expect((await client.call("PUT", file)).json).toEqual({ path: join(root, "file"), bytesWritten: 0 });
    expect(readFileSync(join(root, "file"), "utf8")).toBe("");
  });

  test("keeps the mode of the file, and leaves other names of it alone", async () => {
    const { client, root } = await startFilesLab({ file: "old" });
    chmodSync(join(root, "file"), 0o750);
    linkSync(join(root, "file"), join(root, "other"));
    await client.put(file, "new");
    expect(lstatSync(join(root, "file")).mode & 0o777).toBe(0o750);
    expect(readFileSync(join(root, "other"), "utf8")).toBe("old");
  });

  test("goes through a link to the file it leads to", async () => {
    const { client, root } = await startFilesLab({ "dir/real": "old", file: { to: "dir/real" } });
    expect((await client.put(file, "new")).json.path).toBe(join(root, "dir/real"));
    expect(readFileSync(join(root, "dir/real"), "utf8")).toBe("new");
    expect(lstatSync(join(root, "file")).isSymbolicLink()).toBe(true);
  });

  test.each(["dir", ".", "dir/inner/below"])("does not replace a directory, or a file by one: %s", async (path) => {
    const { client, root } = await startFilesLab({ "dir/inner": "stays" });
    expect((await client.put(fs("file", { path }), "new")).status).toBe(400);
    expect(readFileSync(join(root, "dir/inner"), "utf8")).toBe("stays");
    expect(readdirSync(root)).toEqual(["dir"]);
  });

  test("at once from many clients leaves one of their texts, whole", async () => {
    const { client, root } = await startFilesLab();
    const texts = Array.from({ length: 16 }, (_, index) => String.fromCharCode(97 + index).repeat(400_000));
    const answers = await Promise.all(texts.map((text) => client.put(file, text)));
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200));
    expect(texts).toContain(readFileSync(join(root, "file"), "utf8"));
    expect(readdirSync(root)).toEqual(["file"]);
  });
});

describe("a condition", () => {
  async function withEtag(): Promise<FilesLab & { etag: string }> {
    const lab = await startFilesLab({ file: "old" });
    return { ...lab, etag: (await lab.client.get(file)).headers.get("etag") ?? "" };
  }

  test("that holds lets the write happen, and the answer has the next version", async () => {
    const { client, root, etag } = await withEtag();
    const second = await client.put(file, "second", { headers: { "if-match": etag } });
    const third = await client.put(file, "third", { headers: { "if-match": second.headers.get("etag") ?? "" } });
    expect([second.status, third.status]).toEqual([200, 200]);
    expect(third.headers.get("etag")).toBe((await client.get(file)).headers.get("etag"));
    expect(readFileSync(join(root, "file"), "utf8")).toBe("third");
  });

  test.each<[string, string, Record<string, string>]>([
    ["another version", "file", { "if-match": '"other"' }],
    ["any version of nothing", "missing", { "if-match": "*" }],
    ["nothing where there is something", "file", { "if-none-match": "*" }],
  ])("that does not hold is a problem: %s", async (_, path, headers) => {
    const { client, root, etag } = await withEtag();
    const details = { path: join(root, path), etag: path === "file" ? etag : null };
    expectProblem(await client.put(fs("file", { path }), "new", { headers }), "precondition_failed", { details });
    expect(readdirSync(root)).toEqual(["file"]);
    expect(readFileSync(join(root, "file"), "utf8")).toBe("old");
  });

  test.each<Record<string, string>>([{ "if-match": "*" }, { "if-none-match": '"other"' }])(
    "%j lets the write happen",
    async (headers) => {
      const { client, root } = await withEtag();
      expect((await client.put(file, "new", { headers })).status).toBe(200);
      expect(readFileSync(join(root, "file"), "utf8")).toBe("new");
    },
  );

  test("of one version lets one of many clients win", async () => {
    const { client, root, etag } = await withEtag();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => client.put(file, `by ${index}`, { headers: { "if-match": etag } })),
    );
    const winners = answers.flatMap(({ status }, index) => (status === 200 ? [`by ${index}`] : []));
    expect(winners).toEqual([readFileSync(join(root, "file"), "utf8")]);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(7);
  });

  test("of nothing lets one of many clients create", async () => {
    const { client, root } = await startFilesLab();
    const headers = { "if-none-match": "*" };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => client.put(file, `${index}`, { headers })),
    );
    const winners = answers.flatMap(({ status }, index) => (status === 200 ? [`${index}`] : []));
    expect(winners).toEqual([readFileSync(join(root, "file"), "utf8")]);
    expect(readdirSync(root)).toEqual(["file"]);
  });
});

describe("a client that goes away in the middle", () => {
  test.each([
    ["with a length", "content-length: 5000000", ""],
    ["in chunks", "transfer-encoding: chunked", "1000\r\n"],
  ])("leaves the old file, and nothing else: %s", async (_, header, prefix) => {
    const { client, root } = await startFilesLab({ file: "old" });
    const socket = await connected(client.url);
    socket.write(`PUT ${file} HTTP/1.1\r\nhost: localhost\r\n${header}\r\n\r\n${prefix}${"x".repeat(4096)}\r\n`);
    await expect.poll(() => readdirSync(root).length).toBe(2);
    socket.destroy();
    await expect.poll(() => readdirSync(root)).toEqual(["file"]);
    expect(readFileSync(join(root, "file"), "utf8")).toBe("old");
  });
});

test("a full disk is a problem, the old file stays and the daemon continues", async (context) => {
  const root = temporaryDirectory();
  mountDisk(context, root, "size=4m");
  writeFileSync(join(root, "file"), "old");
  const client = await startTestClient({ fsRoot: root });
  const answer = await client.put(file, new Uint8Array(8 * 1024 * 1024));
  expectProblem(answer, "storage_unavailable", { details: { path: join(root, "file"), code: "ENOSPC" } });
  expect(readdirSync(root)).toEqual(["file"]);
  expect(readFileSync(join(root, "file"), "utf8")).toBe("old");
  expect((await client.put(file, "new")).status).toBe(200);
});

test("a directory that may not be written is a problem", async (context) => {
  const { client, root } = await startFilesLab();
  const disk = join(root, "disk");
  mkdirSync(disk);
  mountDisk(context, disk, "ro");
  const details = { path: join(disk, "x"), code: "EROFS" };
  expectProblem(await client.put(fs("file", { path: "disk/x" }), "new"), "permission_denied", { details });
});
