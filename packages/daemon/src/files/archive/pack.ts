/** Streams a directory as a tar.gz archive. */

import { lstatSync, readlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { background } from "@sandbox-agent/agents";
import { createTarPacker, type TarHeader, type TarPackController } from "modern-tar";
import { type Directory, openDirectory } from "../directory.ts";
import { childOf, type Name } from "../place.ts";
import { type OpenFile, openFile, piecesOf } from "../read.ts";

/** Owns the directory from here on. */
export function pack(directory: Directory): ReadableStream<Uint8Array> {
  const { readable, controller } = createTarPacker();
  background("pack a directory", packAll(directory, controller));
  return readable.pipeThrough(new CompressionStream("gzip"));
}

async function packAll(directory: Directory, controller: TarPackController): Promise<void> {
  try {
    await packChildren(directory, "", controller);
    controller.finalize();
  } catch (error) {
    // Aborts the download, so that the client does not take an incomplete archive for a complete one.
    controller.error(error);
  } finally {
    directory[Symbol.dispose]();
  }
}

async function packChildren(directory: Directory, prefix: string, controller: TarPackController): Promise<void> {
  for (const name of (await readdir(directory.at)).sort()) {
    const child = childOf(directory, name);
    const stats = lstatSync(child.at, { throwIfNoEntry: false });
    if (!stats) continue;
    const header = { name: prefix + name, mode: stats.mode & 0o777, mtime: stats.mtime };
    if (stats.isDirectory()) await packDirectory(child, header, controller);
    else if (stats.isFile()) await packFile(child, header, controller);
    else if (stats.isSymbolicLink()) await packLink(child, header, controller);
  }
}

type Named = Pick<TarHeader, "name" | "mode" | "mtime">;

async function packDirectory({ at, path }: Name, header: Named, controller: TarPackController): Promise<void> {
  using directory = openDirectory(at, path);
  const name = `${header.name}/`;
  await controller.add({ ...header, name, type: "directory", size: 0 }).close();
  await packChildren(directory, name, controller);
}

async function packLink({ at }: Name, header: Named, controller: TarPackController): Promise<void> {
  await controller.add({ ...header, type: "symlink", size: 0, linkname: readlinkSync(at) }).close();
}

async function packFile(child: Name, header: Named, controller: TarPackController): Promise<void> {
  using file = openFile(child);
  const writer = controller.add({ ...header, type: "file", size: file.size }).getWriter();
  for await (const piece of exactly(file)) await writer.write(piece);
  await writer.close();
}

/** Exactly the announced number of bytes: a file that shrinks meanwhile is padded with zeros, as tar does. */
async function* exactly(file: OpenFile): AsyncGenerator<Uint8Array> {
  let left = file.size;
  for await (const piece of piecesOf(file, 0, file.size)) {
    left -= piece.byteLength;
    yield piece;
  }
  for (; left > 0; left -= Math.min(left, zeros.byteLength)) yield zeros.subarray(0, Math.min(left, zeros.byteLength));
}

const zeros = new Uint8Array(64 * 1024);
