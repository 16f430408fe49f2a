/** A gigabyte in and out while the daemon's memory stays where it was. */
import { openSync, readFileSync, realpathSync, statSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createTarPacker } from "modern-tar";
import { beforeEach, describe, expect, test } from "vitest";
import { type DaemonProcess, spawnDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { fs } from "./lab.ts";

const gigabyte = 1024 * 1024 * 1024;
const piece = new Uint8Array(1024 * 1024).fill(120);
/** Far below the gigabyte, far above what the runtime takes and has not given back when it is measured. */
const allowanceMb = 400;

let root: string;
let daemon: DaemonProcess;

beforeEach(async () => {
  root = realpathSync(temporaryDirectory());
  daemon = await spawnDaemon(temporaryDirectory(), ["--fs-root", root]);
});

describe("a gigabyte", () => {
  test("is written to a file", { timeout: 120_000 }, async () => {
    const { answer, growth } = await measured(() => send("PUT", fs("file", { path: "large" }), pieces()));
    expect(answer).toEqual({ path: join(root, "large"), bytesWritten: gigabyte });
    expect(statSync(join(root, "large")).size).toBe(gigabyte);
    expect(growth).toBeLessThan(allowanceMb);
  });

  test("is unpacked from an archive", { timeout: 120_000 }, async () => {
    const { answer, growth } = await measured(() => send("POST", fs("upload-batch"), archive()));
    expect(answer).toEqual({ paths: [join(root, "large")], truncated: false });
    expect(statSync(join(root, "large")).size).toBe(gigabyte);
    expect(growth).toBeLessThan(allowanceMb);
  });

  test("is unpacked from a compressed archive", { timeout: 120_000 }, async () => {
    const body = archive().pipeThrough(new CompressionStream("gzip"));
    const { answer, growth } = await measured(() => send("POST", fs("upload-batch"), body));
    expect(answer).toEqual({ paths: [join(root, "large")], truncated: false });
    expect(statSync(join(root, "large")).size).toBe(gigabyte);
    expect(growth).toBeLessThan(allowanceMb);
  });

  test("is read from a file", { timeout: 120_000 }, async () => {
    sparseFile();
    const { answer, growth } = await measured(() => receive(fs("file", { path: "large" })));
    expect(answer).toEqual({ size: gigabyte, end: "the end" });
    expect(growth).toBeLessThan(allowanceMb);
  });

  test("is read as an archive", { timeout: 120_000 }, async () => {
    sparseFile();
    const { answer, growth } = await measured(() => receive(fs("download"), new DecompressionStream("gzip")));
    expect(answer.size).toBeGreaterThan(gigabyte);
    expect(growth).toBeLessThan(allowanceMb);
  });
});

/** Takes no room on the disk. */
function sparseFile(): void {
  const path = join(root, "large");
  writeFileSync(path, "");
  truncateSync(path, gigabyte);
  writeSync(openSync(path, "r+"), "the end", gigabyte - 7);
}

function pieces(): ReadableStream<Uint8Array<ArrayBuffer>> {
  let left = gigabyte;
  return new ReadableStream(
    {
      pull(controller) {
        if (left === 0) return controller.close();
        left -= piece.byteLength;
        controller.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
}

function archive(): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { readable, controller } = createTarPacker();
  const file = controller.add({ name: "large", size: gigabyte, type: "file" });
  void pieces()
    .pipeTo(file)
    .then(() => controller.finalize());
  return readable;
}

async function send(method: string, path: string, body: ReadableStream): Promise<unknown> {
  const headers = { "content-type": "application/x-tar" };
  const response = await fetch(daemon.url + path, { method, headers, body });
  return response.json();
}

async function receive(path: string, through?: DecompressionStream): Promise<{ size: number; end: string }> {
  const { body } = await fetch(daemon.url + path);
  let size = 0;
  let end = "";
  for await (const chunk of (through ? body?.pipeThrough(through) : body) ?? []) {
    size += chunk.byteLength;
    end = (end + Buffer.from(chunk.subarray(-7)).toString()).slice(-7);
  }
  return { size, end };
}

/** How many megabytes the daemon's memory grew at its highest while the work was done. */
async function measured<T>(work: () => Promise<T>): Promise<{ answer: T; growth: number }> {
  writeFileSync(`/proc/${daemon.pid}/clear_refs`, "5");
  const before = peakMb();
  const answer = await work();
  return { answer, growth: peakMb() - before };
}

function peakMb(): number {
  const [, kilobytes] = readFileSync(`/proc/${daemon.pid}/status`, "utf8").match(/VmHWM:\s+(\d+) kB/) ?? [];
  return Number(kilobytes) / 1024;
}
