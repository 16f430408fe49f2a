/** Reading files: whole, in part, not again if nothing changed. */
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectProblem } from "../harness/problem.ts";
import { fs, openBelow, startFilesLab } from "./lab.ts";

const file = fs("file", { path: "file" });
const digits = "0123456789";

describe("a file", () => {
  test("comes as it is", async () => {
    const { client, root } = await startFilesLab();
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251);
    writeFileSync(join(root, "file"), bytes);
    const response = await client.fetch("GET", file);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-length": "70000",
      "accept-ranges": "bytes",
      etag: expect.stringMatching(/^"\S+"$/),
      "last-modified": expect.stringMatching(/GMT$/),
    });
  });

  test("may be empty", async () => {
    const { client } = await startFilesLab({ file: "" });
    expect(await client.get(file)).toMatchObject({ status: 200, text: "" });
  });

  test("larger than what is sent in one go comes whole", async () => {
    const { client, root } = await startFilesLab();
    const text = digits.repeat(500_000);
    writeFileSync(join(root, "file"), text);
    expect((await client.get(file)).text === text).toBe(true);
    const part = await client.get(file, { headers: { range: "bytes=7-3000000" } });
    expect(part.text === text.slice(7, 3_000_001)).toBe(true);
  });

  test("is reached through a link inside the root, relative or absolute", async () => {
    const { client, root } = await startFilesLab({
      "dir/file": digits,
      link: { to: "dir" },
      file: { to: "link/file" },
    });
    expect((await client.get(file)).text).toBe(digits);
    expect((await client.get(fs("file", { path: `${root}/link/../dir/file` }))).text).toBe(digits);
  });

  test.each([
    ["missing", "ENOENT"],
    ["file/below", "ENOTDIR"],
  ])("that does not exist is a problem: %s", async (path, code) => {
    const { client, root } = await startFilesLab({ file: "" });
    const details = { path: join(root, path), code };
    expectProblem(await client.get(fs("file", { path })), "invalid_request", { details });
  });

  test("is neither a directory nor a pipe", async () => {
    const { client, root } = await startFilesLab({ dir: null });
    expect(Bun.spawnSync(["mkfifo", join(root, "pipe")]).success).toBe(true);
    for (const path of ["dir", "pipe", "."]) expect((await client.get(fs("file", { path }))).status).toBe(400);
  });
});

describe("HEAD", () => {
  test.each([digits, digits.repeat(200_000)])("has the length and the version, without the bytes", async (text) => {
    const { client } = await startFilesLab({ file: text });
    const { etag } = Object.fromEntries((await client.get(file)).headers);
    const response = await client.fetch("HEAD", file);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({ "content-length": String(text.length), etag });
    expect(await response.text()).toBe("");
  });

  test("of nothing is a problem", async () => {
    const { client } = await startFilesLab();
    expect((await client.fetch("HEAD", file)).status).toBe(400);
  });
});

describe("a range", () => {
  test.each([
    ["bytes=0-3", "0123", "0-3"],
    ["bytes=4-", "456789", "4-9"],
    ["bytes=-3", "789", "7-9"],
    ["bytes=9-9", "9", "9-9"],
    ["bytes=5-999", "56789", "5-9"],
    ["bytes=-999", digits, "0-9"],
    ["Bytes = 2-3", "23", "2-3"],
  ])("%s gives a part", async (range, text, range200) => {
    const { client } = await startFilesLab({ file: digits });
    const answer = await client.get(file, { headers: { range } });
    expect([answer.status, answer.text]).toEqual([206, text]);
    expect(answer.headers.get("content-range")).toBe(`bytes ${range200}/10`);
    expect(answer.headers.get("content-length")).toBe(String(text.length));
  });

  test.each(["bytes=0-1,3-4", "bytes=5-2", "lines=1-2", "bytes=-", "bytes=a-b", "nonsense"])(
    "that is not understood gives everything: %s",
    async (range) => {
      const { client } = await startFilesLab({ file: digits });
      expect(await client.get(file, { headers: { range } })).toMatchObject({ status: 200, text: digits });
    },
  );

  test.each(["bytes=10-", "bytes=10-20", "bytes=-0"])("that has nothing is a problem: %s", async (range) => {
    const { client, root } = await startFilesLab({ file: digits });
    const answer = await client.get(file, { headers: { range } });
    expectProblem(answer, "range_not_satisfiable", { details: { path: join(root, "file"), size: 10 } });
    expect(answer.headers.get("content-range")).toBe("bytes */10");
  });

  test("of a version that is gone gives everything", async () => {
    const { client } = await startFilesLab({ file: digits });
    const etag = (await client.get(file)).headers.get("etag") ?? "";
    const get = (ifRange: string) => client.get(file, { headers: { range: "bytes=0-0", "if-range": ifRange } });
    expect(await get(etag)).toMatchObject({ status: 206, text: "0" });
    expect(await get('"other"')).toMatchObject({ status: 200, text: digits });
  });
});

describe("If-None-Match", () => {
  test.each([(etag: string) => etag, (etag: string) => `W/${etag}`, (etag: string) => `"x", ${etag}`, () => "*"])(
    "saves the bytes of a known version",
    async (header) => {
      const { client } = await startFilesLab({ file: digits });
      const etag = (await client.get(file)).headers.get("etag") ?? "";
      const again = await client.get(file, { headers: { "if-none-match": header(etag) } });
      expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
    },
  );

  test("does not when the content has changed, at the same size too", async () => {
    const { client, root } = await startFilesLab({ file: digits });
    const etag = (await client.get(file)).headers.get("etag") ?? "";
    await client.put(file, "9876543210");
    const headers = { "if-none-match": etag };
    expect(await client.get(file, { headers })).toMatchObject({ status: 200, text: "9876543210" });
    truncateSync(join(root, "file"), 4);
    expect(await client.get(file, { headers })).toMatchObject({ status: 200, text: "9876" });
  });
});

test("a client that goes away in the middle costs no open file", async () => {
  const { client, root } = await startFilesLab();
  writeFileSync(join(root, "file"), "");
  truncateSync(join(root, "file"), 200 * 1024 * 1024);
  for (let time = 0; time < 5; time += 1) {
    const controller = new AbortController();
    const response = await client.fetch("GET", file, { signal: controller.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    controller.abort();
  }
  await expect.poll(() => openBelow(root)).toEqual([]);
});
