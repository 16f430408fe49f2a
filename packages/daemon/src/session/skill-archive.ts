/** Skills in an archive: a .tar, .tar.gz or .zip on this machine or at a URL, unpacked into the data directory. */
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { ProblemError, type SkillSource } from "@sandbox-agent/schema";

const maxBytes = 64 * 1024 * 1024;
const maxUnpackedBytes = 256 * 1024 * 1024;
const fetchTimeoutMs = 60_000;

/** One directory per content: it is unpacked once, and an archive that has changed is unpacked anew. */
export async function unpack(source: SkillSource, directory: string, unpacked: string): Promise<string> {
  const bytes = await bytesOf(source, directory);
  const key = new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 16);
  const target = join(unpacked, key, nameOf(source.source));
  if (await stat(target).catch(() => null)) return target;
  const files = await filesOf(source, bytes);
  const total = files.reduce((sum, [, content]) => sum + content.byteLength, 0);
  if (total > maxUnpackedBytes) throw invalid(source, `it unpacks to more than ${maxUnpackedBytes} bytes`);
  // Nobody sees it before it is whole.
  const partial = join(unpacked, key, `.${Bun.randomUUIDv7()}`);
  for (const [name, content] of files) await writeInto(source, partial, name, content);
  await mkdir(partial, { recursive: true });
  await rename(partial, target).catch(() => rm(partial, { recursive: true, force: true }));
  return target;
}

async function bytesOf(source: SkillSource, directory: string): Promise<Uint8Array> {
  if (/^https?:\/\//.test(source.source)) return download(source);
  const path = resolve(directory, source.source);
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) throw invalid(source, `${path} is not a file`);
  if (found.size > maxBytes) throw tooLarge(source);
  return readFile(path);
}

async function download(source: SkillSource): Promise<Uint8Array> {
  try {
    const response = await fetch(source.source, { signal: AbortSignal.timeout(fetchTimeoutMs) });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge(source);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw invalid(source, `it cannot be downloaded: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Regular files by name. Links and anything else in an archive are left out. */
async function filesOf(source: SkillSource, bytes: Uint8Array): Promise<[string, Uint8Array][]> {
  try {
    if (bytes[0] === 0x50 && bytes[1] === 0x4b) return await unzip(bytes);
    const files = await new Bun.Archive(bytes).files();
    return await Promise.all(
      [...files].map(async ([name, file]) => [name, await file.bytes()] as [string, Uint8Array]),
    );
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw invalid(source, `it is no .tar, .tar.gz or .zip: ${cause}`);
  }
}

async function unzip(bytes: Uint8Array): Promise<[string, Uint8Array][]> {
  const { unzipSync } = await import("fflate");
  let announced = 0;
  const filter = ({ name, originalSize }: { name: string; originalSize: number }) => {
    announced += originalSize;
    if (announced > maxUnpackedBytes) throw new Error(`it unpacks to more than ${maxUnpackedBytes} bytes`);
    return !name.endsWith("/");
  };
  return Object.entries(unzipSync(bytes, { filter }));
}

async function writeInto(source: SkillSource, root: string, name: string, content: Uint8Array): Promise<void> {
  const path = resolve(root, name);
  if (!path.startsWith(root + sep)) throw invalid(source, `its entry ${name} points outside of it`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

function nameOf(source: string): string {
  const path = URL.parse(source)?.pathname ?? source;
  return basename(path).replace(/\.(tar\.gz|tgz|tar|zip|skill)$/i, "") || "skills";
}

function tooLarge(source: SkillSource): ProblemError {
  return invalid(source, `it has more than ${maxBytes} bytes`);
}

function invalid(source: SkillSource, message: string): ProblemError {
  return new ProblemError("invalid_request", `skill source ${source.source}: ${message}`);
}
