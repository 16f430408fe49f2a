/** Files of the directory, for the official client of OpenCode's API. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createOpencodeClient } from "@opencode-ai/sdk/v2/client";
import { expect, test } from "vitest";
import { put } from "../changes/project.ts";
import { startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { data } from "./sdk-events.ts";

async function start() {
  const directory = temporaryDirectory();
  put(directory, ".git/HEAD", "ref: refs/heads/main\n");
  put(directory, ".gitignore", "dist/\n");
  put(directory, "src/main.ts", "const a = 1;\nconst needle = 2;\n");
  put(directory, "dist/main.js", "const needle = 2;\n");
  writeFileSync(join(directory, "pixel.png"), Uint8Array.of(0x89, 0x50, 0, 0xff));
  const { url } = await startTestDaemon({ fsRoot: directory });
  const client = createOpencodeClient({ baseUrl: `${url}/opencode`, directory, throwOnError: true });
  return { client, directory };
}

test("files are found by name and by content", async () => {
  const { client, directory } = await start();
  expect(await data(client.find.files({ query: "main" }))).toEqual(["src/main.ts"]);
  expect(await data(client.find.text({ pattern: "needle" }))).toMatchObject([
    {
      path: { text: "src/main.ts" },
      lines: { text: "const needle = 2;" },
      line_number: 2,
      submatches: [{ match: { text: "needle" }, start: 6, end: 12 }],
    },
  ]);
  expect(await data(client.v2.fs.find({ query: "main", limit: "20", location: { directory } }))).toMatchObject({
    location: { directory },
    data: [{ path: "src/main.ts", type: "file" }],
  });
});

test("directories are listed and files read", async () => {
  const { client, directory } = await start();
  const listed = await data(client.file.list({ path: "" }));
  expect(listed.map(({ path, type, ignored }) => [path, type, ignored])).toEqual([
    [".git", "directory", true],
    [".gitignore", "file", false],
    ["dist", "directory", true],
    ["pixel.png", "file", false],
    ["src", "directory", false],
  ]);
  expect(await data(client.file.list({ path: "src" }))).toMatchObject([
    { name: "main.ts", path: "src/main.ts", absolute: join(directory, "src/main.ts") },
  ]);
  const text = await data(client.file.read({ path: "src/main.ts" }));
  expect(text).toEqual({ type: "text", content: "const a = 1;\nconst needle = 2;\n" });
  const image = { type: "binary", content: "iVAA/w==", encoding: "base64", mimeType: "image/png" };
  expect(await data(client.file.read({ path: "pixel.png" }))).toEqual(image);
  await expect(client.file.read({ path: "none" })).rejects.toThrow(/none does not exist/);
  await expect(client.file.read({ path: "/etc/passwd" })).rejects.toThrow(/leads out of/);
  await expect(client.file.read({ path: "../../etc/passwd" })).rejects.toThrow(/leads out of/);
  await expect(client.file.list({ path: "src/main.ts" })).rejects.toThrow(/is not a directory/);
});

test("files that differ from the last commit are listed, and there are no symbols", async () => {
  const directory = temporaryDirectory();
  const git = (...args: string[]) => {
    const identity = ["-c", "user.name=t", "-c", "user.email=t@localhost", "-c", "commit.gpgsign=false"];
    expect(Bun.spawnSync(["git", "-C", directory, ...identity, ...args]).exitCode).toBe(0);
  };
  const { url } = await startTestDaemon();
  const clientIn = (place: string) =>
    createOpencodeClient({ baseUrl: `${url}/opencode`, directory: place, throwOnError: true });
  const client = clientIn(directory);
  expect(await data(client.file.status())).toEqual([]);
  git("init", "-q");
  put(directory, "sub/changed.txt", "one\ntwo\n");
  put(directory, "gone.txt", "bye\n");
  git("add", ".");
  git("commit", "-q", "-m", "first");
  expect(await data(client.file.status())).toEqual([]);
  put(directory, "sub/changed.txt", "one\n2\nthree\n");
  rmSync(join(directory, "gone.txt"));
  put(directory, "sub/new file.txt", "x");
  const inside = [
    { path: "sub/changed.txt", added: 2, removed: 1, status: "modified" },
    { path: "sub/new file.txt", added: 0, removed: 0, status: "added" },
  ];
  const gone = { path: "gone.txt", added: 0, removed: 1, status: "deleted" };
  expect(await data(client.file.status())).toEqual([gone, ...inside]);
  const below = await data(clientIn(join(directory, "sub")).file.status());
  expect(below.map(({ path }) => path)).toEqual(["changed.txt", "new file.txt"]);
  expect(await data(client.find.symbols({ query: "main" }))).toEqual([]);
});
