/** Archives that unpack to far more than their own size cost neither memory nor, where they are refused, disk. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { spawnDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { expectProblem } from "../harness/problem.ts";
import { fs, tar, tarType } from "./lab.ts";

const mebibyte = 1024 * 1024;

/** A tar.gz with one file of zeros. Gzip files may be joined, so it takes no time to make. */
async function bomb(mebibytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const archive = await tar({ name: "one/SKILL.md", body: "" });
  const header = archive.slice(0, 512);
  header.set(Buffer.from(`${(mebibytes * mebibyte).toString(8).padStart(11, "0")}\0`), 124);
  header.fill(32, 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.set(Buffer.from(`${sum.toString(8).padStart(6, "0")}\0 `), 148);
  const piece = Bun.gzipSync(new Uint8Array(32 * mebibyte), { level: 9 });
  const pieces = Array.from({ length: mebibytes / 32 }, () => piece);
  return new Uint8Array(Buffer.concat([Bun.gzipSync(header), ...pieces, Bun.gzipSync(new Uint8Array(1024))]));
}

/** A zip with files of 32 MiB of zeros each. */
function zipBomb(mebibytes: number): Uint8Array {
  const content = deflateRawSync(new Uint8Array(32 * mebibyte), { level: 9 });
  const entries = Array.from({ length: mebibytes / 32 }, (_, index) => {
    const name = Buffer.from(`one/${index}`);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(8, 8);
    header.writeUInt32LE(content.length, 18);
    header.writeUInt32LE(32 * mebibyte, 22);
    header.writeUInt16LE(name.length, 26);
    return Buffer.concat([header, name, content]);
  });
  return Buffer.concat(entries);
}

/** The most memory that a process ever had, in MiB. */
function peakOf(pid: number): number {
  const [, kibibytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) / 1024;
}

async function startDaemon() {
  const dataDir = temporaryDirectory();
  const { url, pid } = await spawnDaemon(dataDir);
  const client = new TestClient(url);
  await client.create("first");
  return { client, pid, dataDir, before: peakOf(pid) };
}

test.runIf(process.platform === "linux")("an archive of skills that unpacks to 3 GiB", async () => {
  const { client, pid, dataDir, before } = await startDaemon();
  const source = join(temporaryDirectory(), "pack.tar.gz");
  writeFileSync(source, await bomb(3072));
  expect(statSync(source).size).toBeLessThan(4 * mebibyte);
  const skills = { sources: [{ type: "archive", source }] };
  const answer = await client.create("s", { directory: temporaryDirectory(), skills });
  expectProblem(answer, "invalid_request");
  expect(answer.json.detail).toContain("unpacks to more than 268435456 bytes");
  expect(peakOf(pid) - before).toBeLessThan(150);
  expect(readdirSync(join(dataDir, "skills"), { recursive: true })).toEqual([]);
});

test.runIf(process.platform === "linux")("a zip of skills that unpacks to 3 GiB", async () => {
  const { client, pid, dataDir, before } = await startDaemon();
  const source = join(temporaryDirectory(), "pack.zip");
  writeFileSync(source, zipBomb(3072));
  const skills = { sources: [{ type: "archive", source }] };
  expectProblem(await client.create("s", { directory: temporaryDirectory(), skills }), "invalid_request");
  expect(peakOf(pid) - before).toBeLessThan(150);
  expect(readdirSync(join(dataDir, "skills"), { recursive: true })).toEqual([]);
});

test.runIf(process.platform === "linux")("an upload that unpacks to 512 MiB", async () => {
  const { client, pid, before } = await startDaemon();
  const path = temporaryDirectory();
  expect((await client.post(fs("upload-batch", { path }), await bomb(512), tarType)).status).toBe(200);
  expect(statSync(join(path, "one/SKILL.md")).size).toBe(512 * mebibyte);
  expect(peakOf(pid) - before).toBeLessThan(150);
});
