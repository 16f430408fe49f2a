/** Skills in an archive: a .tar, .tar.gz or .zip on this machine or at a URL, unpacked into the data directory. */
import { mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fetchSecurely, InsecureAddress } from "@sandbox-agent/agents";
import { ProblemError, type SkillSource } from "@sandbox-agent/schema";
import { writeEntry } from "../files/archive/entry.ts";
import { isZip, tarEntries, zipEntries } from "../files/archive/read-archive.ts";
import { openDirectory } from "../files/directory.ts";
import { rootOf } from "../files/root.ts";
import { folderOf, invalid, type SkillStore } from "./skill-source.ts";

const maxBytes = 64 * 1024 * 1024;
const limits = { bytes: 256 * 1024 * 1024, entries: 10_000 };
const fetchTimeoutMs = 60_000;

/** Each content has its own directory: it is unpacked once, and a changed archive is unpacked again. */
export async function unpack(source: SkillSource, directory: string, store: SkillStore): Promise<string> {
  const { directory: unpacked } = store;
  const name = nameOf(source);
  const bytes = await bytesOf(source, directory, store);
  const key = new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 16);
  const target = join(unpacked, key, name);
  if (await stat(target).catch(() => null)) return target;
  // Unpacked elsewhere and then renamed, so that an incomplete directory is never visible.
  const partial = join(unpacked, `.${Bun.randomUUIDv7()}`);
  try {
    await mkdir(partial, { recursive: true, mode: 0o700 });
    await writeFiles(bytes, partial);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(partial, target).catch(async (error) => {
      // Another session may have unpacked it at the same time.
      if (!(await stat(target).catch(() => null))) throw error;
    });
  } catch (error) {
    throw error instanceof ProblemError ? invalid(source, error.message) : error;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return target;
}

/** Writes directories and regular files. Links and all other entries are skipped. */
async function writeFiles(bytes: Uint8Array, destination: string): Promise<void> {
  using directory = openDirectory(destination, destination);
  const inside = rootOf(directory);
  const archive = (async function* () {
    yield bytes;
  })();
  for await (const entry of isZip(bytes) ? zipEntries(archive, limits) : tarEntries(archive, limits)) {
    const { type } = entry.header;
    if (type === "file" || type === "directory") await writeEntry(inside, inside, entry);
  }
}

async function bytesOf(source: SkillSource, directory: string, store: SkillStore): Promise<Uint8Array> {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(source.source)) return download(source, store);
  const path = resolve(directory, source.source);
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) throw invalid(source, `${path} is not a file`);
  if (found.size > maxBytes) throw tooLarge(source);
  return readFile(path);
}

async function download(source: SkillSource, { allowPlain }: SkillStore): Promise<Uint8Array> {
  try {
    const response = await fetchSecurely(source.source, { allowPlain, signal: AbortSignal.timeout(fetchTimeoutMs) });
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
    if (error instanceof InsecureAddress) throw invalid(source, error.message);
    throw invalid(source, `it cannot be downloaded: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function nameOf(source: SkillSource): string {
  const { pathname } = URL.parse(source.source) ?? { pathname: source.source };
  return pathname === "/" ? "skills" : folderOf(source, /\.(tar\.gz|tgz|tar|zip|skill)$/i);
}

function tooLarge(source: SkillSource): ProblemError {
  return invalid(source, `it has more than ${maxBytes} bytes`);
}
