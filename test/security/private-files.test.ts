/** The data directory holds the daemon's token and the key of all others: a token without `admin` gets nothing of it. */
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { expectProblem } from "../harness/problem.ts";

const token = "the-token-of-the-daemon-itself-0";
let outer: string;
let dataDir: string;
let root: TestClient;
let limited: TestClient;

beforeEach(async () => {
  outer = realpathSync(temporaryDirectory());
  dataDir = join(outer, "data");
  const { url } = await startTestDaemon({ token, dataDir });
  writeFileSync(join(dataDir, "token"), token);
  mkdirSync(join(dataDir, "attachments", "1"), { recursive: true });
  writeFileSync(join(dataDir, "attachments", "1", "picture"), "a picture");
  mkdirSync(join(outer, "project"));
  writeFileSync(join(outer, "project", "plain.txt"), "needle in the project");
  symlinkSync(dataDir, join(outer, "project", "link"));
  root = new TestClient(url, token);
  const scopes = ["read", "prompt", "approve", "files"];
  limited = new TestClient(url, (await root.post("/v1/tokens", { scopes })).json.token);
});

const at = (path: string) => `path=${encodeURIComponent(path)}`;

describe("a token without admin", () => {
  test("cannot read the data directory by any path", async () => {
    const paths = [
      dataDir,
      `${outer}/project/../data`,
      `${outer}/project/link`,
      `/proc/self/cwd/../../../../..${dataDir}`,
    ];
    for (const path of paths) {
      for (const name of ["token", "events.db", "audit"])
        expectProblem(await limited.get(`/v1/fs/stat?${at(`${path}/${name}`)}`), "permission_denied");
      expectProblem(await limited.get(`/v1/fs/file?${at(`${path}/token`)}`), "permission_denied");
      expectProblem(await limited.get(`/v1/fs/entries?${at(path)}`), "permission_denied");
      expect((await limited.get(`/opencode/file/content?${at(`${path}/token`)}`)).text).not.toContain(token);
      expect((await limited.get(`/opencode/file?${at(path)}`)).status).not.toBe(200);
    }
  });

  test("cannot get it as a part of something larger", async () => {
    expectProblem(await limited.get(`/v1/fs/download?${at(outer)}`), "permission_denied");
    expectProblem(await limited.get(`/v1/fs/search?${at(outer)}&query=the-token&in=content`), "permission_denied");
    const found = await limited.get(`/opencode/find?directory=${encodeURIComponent(outer)}&pattern=the-token`);
    expect(found.text).not.toContain(token);
  });

  test("cannot change, move or delete it", async () => {
    const put = await limited.fetch("PUT", `/v1/fs/file?${at(join(dataDir, "token"))}`, { body: "mine" });
    expect(put.status).toBe(403);
    for (const from of [dataDir, outer, join(dataDir, "token")])
      expectProblem(
        await limited.post("/v1/fs/move", { from, to: join(outer, "project", "moved") }),
        "permission_denied",
      );
    for (const path of [dataDir, outer])
      expectProblem(await limited.delete(`/v1/fs/entry?${at(path)}&recursive=true`), "permission_denied");
    expect(readFileSync(join(dataDir, "token"), "utf8")).toBe(token);
  });

  test("cannot have an agent read it with a message", async () => {
    await limited.create("s", { agent: "mock", directory: outer });
    const message = { message: "hello", attachments: [{ path: join(dataDir, "token") }] };
    expectProblem(await limited.post("/v1/sessions/s/messages", message), "permission_denied");
  });

  test("reads everything else, and what came with messages", async () => {
    expect((await limited.get(`/v1/fs/file?${at(join(outer, "project", "plain.txt"))}`)).text).toBe(
      "needle in the project",
    );
    expect((await limited.get(`/v1/fs/entries?${at(outer)}`)).status).toBe(200);
    const found = await limited.get(`/v1/fs/search?${at(join(outer, "project"))}&query=needle&in=content`);
    expect(found.json.matches).toHaveLength(1);
    expect((await limited.get(`/v1/fs/file?${at(join(dataDir, "attachments/1/picture"))}`)).text).toBe("a picture");
  });
});

test("an administrator reads all of it", async () => {
  expect((await root.get(`/v1/fs/file?${at(join(dataDir, "token"))}`)).text).toBe(token);
  expect((await root.get(`/v1/fs/download?${at(dataDir)}`)).status).toBe(200);
});
