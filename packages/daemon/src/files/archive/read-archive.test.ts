import { zipSync } from "fflate";
import { packTar, type TarEntry } from "modern-tar";
import { describe, expect, test } from "vitest";
import type { ArchiveEntry } from "./entry.ts";
import type { ArchiveLimits } from "./limits.ts";
import { tarEntries, zipEntries } from "./read-archive.ts";

const limits: ArchiveLimits = { bytes: 1024 * 1024, entries: 10 };

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function file(name: string, body: string | Uint8Array = ""): TarEntry {
  return { header: { name, size: Buffer.byteLength(body), type: "file" }, body };
}

async function read(entries: AsyncIterable<ArchiveEntry>): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { header, chunks } of entries) {
    let text = "";
    for await (const chunk of chunks) text += Buffer.from(chunk).toString();
    found[header.name] = text;
  }
  return found;
}

const zeros = (size: number) => new Uint8Array(size);

describe("tar", () => {
  const open = (bytes: Uint8Array) => tarEntries(one(bytes), limits);
  const tar = (...entries: TarEntry[]) => packTar(entries);

  test("entries are read one after the other, and may be skipped", async () => {
    const archive = await tar(file("a", "first"), file("b", "x".repeat(100_000)), file("c", "last"));
    expect(await read(open(Bun.gzipSync(archive)))).toMatchObject({ a: "first", c: "last" });
    const names: string[] = [];
    for await (const { header } of open(archive)) names.push(header.name);
    expect(names).toEqual(["a", "b", "c"]);
  });

  test.each<[string, () => Promise<Uint8Array>, string]>([
    ["bytes", () => tar(file("a", zeros(2 * 1024 * 1024))), "unpacks to more than 1048576 bytes"],
    ["bytes of several", () => tar(...["a", "b", "c"].map((name) => file(name, zeros(400_000)))), "1048576 bytes"],
    ["entries", () => tar(...Array.from({ length: 11 }, (_, index) => file(`${index}`))), "more than 10 entries"],
    ["a path", () => tar(file(`${"d".repeat(200)}/`.repeat(21))), "a path of more than 4096 bytes"],
    ["directories", () => tar(file(`${"d/".repeat(200)}f`)), "a path of more than 128 directories"],
  ])("more than the limit is refused: %s", async (_, make, message) => {
    const archive = await make();
    for (const bytes of [archive, Bun.gzipSync(new Uint8Array(archive))])
      await expect(read(open(bytes))).rejects.toMatchObject({
        kind: "payload_too_large",
        message: expect.stringContaining(message),
      });
  });
});

describe("zip", () => {
  const open = (bytes: Uint8Array) => zipEntries(one(bytes), limits);

  test("entries are read one after the other, and may be skipped", async () => {
    const archive = zipSync({
      a: Buffer.from("first"),
      "d/": zeros(0),
      b: Buffer.from("y".repeat(200_000)),
      c: [Buffer.from("stored"), { level: 0 }],
    });
    expect(await read(open(archive))).toEqual({ a: "first", "d/": "", b: "y".repeat(200_000), c: "stored" });
    const names: string[] = [];
    for await (const { header } of open(archive)) names.push(`${header.type} ${header.name}`);
    expect(names).toEqual(["file a", "directory d/", "file b", "file c"]);
  });

  test.each<[string, () => Record<string, Uint8Array>, string]>([
    ["bytes", () => ({ a: zeros(2 * 1024 * 1024) }), "unpacks to more than 1048576 bytes"],
    [
      "entries",
      () => Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`f${index}`, zeros(1)])),
      "10 entries",
    ],
  ])("more than the limit is refused: %s", async (_, make, message) => {
    await expect(read(open(zipSync(make())))).rejects.toMatchObject({
      kind: "payload_too_large",
      message: expect.stringContaining(message),
    });
  });

  test("a truncated archive is rejected", async () => {
    const archive = zipSync({ a: crypto.getRandomValues(new Uint8Array(60_000)) });
    await expect(read(open(archive.subarray(0, 30_000)))).rejects.toMatchObject({ kind: "invalid_request" });
  });
});
