import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  cli,
  type Ended,
  type RunOptions,
  type Server,
  startServer,
  temporaryDirectory,
} from "../../test/cli-process.ts";

const base = realpathSync(temporaryDirectory());
const local = realpathSync(temporaryDirectory());
let server: Server;
/** A directory of the daemon's for each test. */
let root: string;
let count = 0;

beforeAll(async () => {
  server = await startServer(["--fs-root", base, "--no-token"]);
});
afterAll(async () => {
  await server.stop();
});
beforeEach(() => {
  root = join(base, `t${count++}`);
  mkdirSync(root);
});

function files(args: string[], options: RunOptions = {}): Promise<Ended> {
  return cli(["api", "fs", ...args], { ...options, env: { SANDBOX_AGENT_ENDPOINT: server.url } });
}

describe("writing and reading", () => {
  test("text from --content", async () => {
    const written = await files(["write", `${root}/a`, "--content", "some text"]);
    expect(JSON.parse(written.stdout)).toEqual({ path: `${root}/a`, bytesWritten: 9 });
    expect(await files(["read", `${root}/a`])).toMatchObject({ code: 0, stdout: "some text" });
    expect((await files(["read", `${root}/a`, "--range", "5-"])).stdout).toBe("text");
  });

  test("a local file with any bytes", async () => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);
    writeFileSync(join(local, "bytes"), bytes);
    await files(["write", `${root}/a`, "--from-file", join(local, "bytes")]);
    expect(new Uint8Array(readFileSync(join(root, "a")))).toEqual(bytes);
  });

  test("standard input", async () => {
    await files(["write", `${root}/a`, "--from-file", "-"], { input: "piped" });
    expect(readFileSync(join(root, "a"), "utf8")).toBe("piped");
  });

  test("only on a condition", async () => {
    const write = ["write", `${root}/a`, "--content", "x", "--if-none-match", "*"];
    expect((await files(write)).code).toBe(0);
    const again = await files(write);
    expect([again.code, JSON.parse(again.stderr).status]).toEqual([1, 412]);
  });

  test.each([[[]], [["--content", "x", "--from-file", "-"]], [["--from-file", "/nowhere"]]])(
    "needs one source, which exists: %j",
    async (source) => {
      expect((await files(["write", `${root}/a`, ...source])).code).toBe(2);
    },
  );
});

describe("directories", () => {
  test("are created, listed, moved and deleted", async () => {
    expect((await files(["mkdir", `${root}/a/b`])).code).toBe(0);
    const entries = await files(["entries", "--path", root]);
    expect(JSON.parse(entries.stdout)).toMatchObject([{ name: "a", entryType: "directory" }]);
    expect(JSON.parse((await files(["stat", `${root}/a`])).stdout)).toMatchObject({ path: `${root}/a` });
    expect((await files(["move", `${root}/a/b`, `${root}/a`])).code).toBe(1);
    expect((await files(["move", `${root}/a`, `${root}/c`, "--overwrite"])).code).toBe(0);
    expect((await files(["delete", `${root}/c`])).code).toBe(1);
    expect((await files(["delete", `${root}/c`, "--recursive"])).code).toBe(0);
    expect(readdirSync(root)).toEqual([]);
  });

  test("are packed, unpacked and searched", async () => {
    const archive = join(local, "a.tar.gz");
    writeFileSync(join(local, "packed"), "some needle");
    Bun.spawnSync(["tar", "-C", local, "-czf", archive, "packed"]);
    const uploaded = await files(["upload-batch", "--tar", archive, "--path", root]);
    expect(JSON.parse(uploaded.stdout)).toEqual({ paths: [`${root}/packed`], truncated: false });
    const found = await files(["search", "needle", "--in", "content", "--path", root, "--limit", "1"]);
    expect(JSON.parse(found.stdout).matches).toEqual([
      { path: `${root}/packed`, line: 1, column: 6, text: "some needle" },
    ]);

    const download = Bun.spawn(
      [process.execPath, join(import.meta.dirname, "../main.ts"), ...["fs", "download", "--path", root]],
      {
        env: { ...process.env, SANDBOX_AGENT_ENDPOINT: server.url },
      },
    );
    const { stdout } = Bun.spawnSync(["tar", "-xzO"], { stdin: await download.stdout.bytes() });
    expect(stdout.toString()).toBe("some needle");
  });

  test("outside of the fs root are rejected", async () => {
    const { code, stderr } = await files(["entries", "--path", local]);
    expect([code, JSON.parse(stderr).status]).toEqual([1, 403]);
  });
});
