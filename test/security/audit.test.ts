/** The audit log: who did what, from where, and how it ended. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";

const token = "the-token-of-the-daemon-itself-000";

async function start(dataDir?: string) {
  const daemon = await startTestDaemon({ token, ...(dataDir && { dataDir }) });
  return { ...daemon, root: new TestClient(daemon.url, token) };
}

describe("the audit log", () => {
  test("has who, what, which session, from where and the outcome, newest first", async () => {
    const { url, root } = await start();
    const { json: made } = await root.post("/v1/tokens", { scopes: ["read"] });
    const reader = new TestClient(url, made.token);
    await root.create("a");
    await reader.post("/v1/sessions/a/messages", { message: "hello" });
    await new TestClient(url, "a-token-that-is-wrong").get("/v1/sessions");
    await root.get("/session");
    await root.get("/v1/fs/stat?path=/&session_id=a");
    const { json } = await root.get("/v1/audit");
    expect(json.entries).toMatchObject([
      { principal: "root", operation: "statFs", session: "a", status: 200 },
      { principal: "root", operation: "GET /session", status: 200 },
      { principal: null, operation: "listSessions", status: 401 },
      { principal: made.id, operation: "postMessage", session: "a", status: 403, path: "/v1/sessions/a/messages" },
      { principal: "root", operation: "createSession", session: "a", status: 200, address: "127.0.0.1" },
      { principal: "root", operation: "createToken", status: 200, method: "POST" },
    ]);
  });

  test("is read in pages, by token, session and operation", async () => {
    const { root } = await start();
    for (const id of ["a", "b", "c"]) await root.create(id);
    const first = await root.get("/v1/audit?limit=2&operation=createSession");
    expect(first.json.entries).toMatchObject([{ session: "c" }, { session: "b" }]);
    const rest = await root.get(`/v1/audit?operation=createSession&cursor=${first.json.nextCursor}`);
    expect(rest.json).toMatchObject({ entries: [{ session: "a" }] });
    expect(rest.json.nextCursor).toBeUndefined();
    expect((await root.get("/v1/audit?session_id=b")).json.entries).toHaveLength(1);
    expect((await root.get("/v1/audit?principal=tok_none")).json.entries).toEqual([]);
  });

  test("outlives the daemon, in files that only its user can read, without a token in them", async () => {
    const dataDir = temporaryDirectory();
    const { root, stop } = await start(dataDir);
    await root.create("a");
    await root.get(`/v1/sessions/${token}`);
    await root.get(`/v1/sessions?access_token=${token}`);
    await stop();
    const directory = join(dataDir, "audit");
    const files = readdirSync(directory).map((name) => join(directory, name));
    expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
    expect(files.map((file) => readFileSync(file, "utf8")).join("")).not.toContain(token);
    const again = await start(dataDir);
    expect((await again.root.get("/v1/audit?operation=createSession")).json.entries).toMatchObject([{ session: "a" }]);
  });

  test("is for admins alone", async () => {
    const { url, root } = await start();
    const scopes = ["read", "prompt", "approve", "files", "processes"];
    const { json } = await root.post("/v1/tokens", { scopes });
    expect((await new TestClient(url, json.token).get("/v1/audit")).status).toBe(403);
  });
});
