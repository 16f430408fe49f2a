/** A daemon and a directory for tests of the files API. */
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packTar, type TarHeader } from "modern-tar";
import type { TestClient } from "../harness/client.ts";
import { startTestClient, temporaryDirectory } from "../harness/daemon.ts";

export interface FilesLab {
  client: TestClient;
  /** Where relative paths start. */
  root: string;
}

/** What each path is to be: a text is a file, null a directory, `to` a symbolic link. */
export type Tree = Record<string, string | null | { to: string }>;

export async function startFilesLab(tree: Tree = {}): Promise<FilesLab> {
  const root = realpathSync(temporaryDirectory());
  plant(root, tree);
  return { client: await startTestClient({ fsRoot: root }), root };
}

export function plant(directory: string, tree: Tree): void {
  for (const [name, what] of Object.entries(tree)) {
    const path = join(directory, name);
    mkdirSync(what === null ? path : dirname(path), { recursive: true });
    if (typeof what === "string") writeFileSync(path, what);
    else if (what) symlinkSync(what.to, path);
  }
}

export function fs(operation: string, query: Record<string, string | boolean> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  return `/v1/fs/${operation}?${search}`;
}

export interface TarEntry extends Partial<TarHeader> {
  name: string;
  body?: string;
}

export function tar(...entries: TarEntry[]): Promise<Uint8Array<ArrayBuffer>> {
  return packTar(
    entries.map(({ body, ...header }) => ({ header: { size: Buffer.byteLength(body ?? ""), ...header }, body })),
  );
}

export const tarType = { headers: { "content-type": "application/x-tar" } };
