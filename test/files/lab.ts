/** A daemon and a directory for tests of the files API. */
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { packTar, type TarHeader } from "modern-tar";
import { onTestFinished } from "vitest";
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

/** A connection of its own, to send what no client would, or half of it. */
export function connected(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket)).on("error", reject);
    onTestFinished(() => void socket.destroy());
  });
}

/** What this process, which the daemon runs in, has open below a path. */
export function openBelow(path: string): string[] {
  const { stdout } = Bun.spawnSync(["ls", "-l", `/proc/${process.pid}/fd`]);
  return stdout
    .toString()
    .split("\n")
    .filter((line) => line.includes(path));
}

export const tarType = { headers: { "content-type": "application/x-tar" } };
