/** Tokens with a scope: what each allows, what it does not, and when it ends. */
import { symlinkSync } from "node:fs";
import { type Operation, operations, type Scope, scopes } from "@sandbox-agent/schema";
import { describe, expect, onTestFinished, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { expectInvalidToken, expectProblem } from "../harness/problem.ts";

const token = "the-token-of-the-daemon-itself-000";

interface Grant {
  scopes: Scope[];
  sessions?: string[];
  expiresInSeconds?: number;
}

async function start(dataDir?: string) {
  const { url, stop } = await startTestDaemon({ token, ...(dataDir && { dataDir }) });
  const root = new TestClient(url, token);
  async function holder(grant: Grant): Promise<TestClient & { id: string }> {
    const { json } = await root.call("POST", "/v1/tokens", { body: grant });
    return Object.assign(new TestClient(url, json.token), { id: json.id as string });
  }
  return { url, root, holder, stop };
}

const protectedOnes = Object.entries<Operation>(operations).filter(([, { scopes }]) => scopes && scopes.length > 0);
/** These do something outside of the daemon when they are allowed. */
const leftAlone = new Set(["refreshAgentRegistry"]);

/** The status alone: some of these are streams. */
async function statusOf(url: string, bearer: string, { method, path }: Operation): Promise<number> {
  const abort = new AbortController();
  // Without a path it would be the home directory, which holds the data directory, and that is for administrators only.
  const query = path === "/v1/fs/download" ? "?path=/nonexistent" : "";
  const response = await fetch(`${url}${path.replaceAll(/\{\w+\}/g, "x")}${query}`, {
    method,
    headers: { authorization: `Bearer ${bearer}` },
    signal: abort.signal,
  });
  abort.abort();
  return response.status;
}

describe("every operation", () => {
  test.each(protectedOnes)("%s is rejected without one of its scopes, and allowed with them", async (id, operation) => {
    const { url, root } = await start();
    const tokenFor = async (granted: Scope[]) =>
      (await root.call("POST", "/v1/tokens", { body: { scopes: granted } })).json.token as string;
    const needed = operation.scopes ?? [];
    for (const missing of needed) {
      const others = scopes.filter((scope) => scope !== missing && scope !== "admin");
      expect(await statusOf(url, await tokenFor(others), operation), `${id} without ${missing}`).toBe(403);
    }
    if (leftAlone.has(id)) return;
    expect([401, 403]).not.toContain(await statusOf(url, await tokenFor([...needed]), operation));
    expect([401, 403]).not.toContain(await statusOf(url, await tokenFor(["admin"]), operation));
  });

  test("has scopes, but for the page of the server and its health", () => {
    const open = Object.entries<Operation>(operations).filter(([, { scopes }]) => scopes === null);
    expect(open.map(([id]) => id)).toEqual(["getServerInfo", "getHealth"]);
  });
});

describe("a refusal", () => {
  test("names the scopes that the token has and the one that is missing", async () => {
    const { holder } = await start();
    const reader = await holder({ scopes: ["read", "prompt"] });
    expectProblem(await reader.call("POST", "/v1/processes/run", { body: { command: "id" } }), "permission_denied", {
      detail: "permission denied: this token has the scopes read, prompt; runProcess needs processes",
    });
  });
});

describe("settings of a session reach no further than the token", () => {
  test.each([
    ["permissionMode", { permissionMode: "bypass" }, "approve"],
    ["permissionMode", { permissionMode: "acceptEdits" }, "approve"],
    ["mcp", { mcp: { x: { type: "local", command: "id" } } }, "processes"],
    ["skills", { skills: { sources: [] } }, "processes"],
    ["env", { env: { PATH: "/evil" } }, "processes"],
    ["credentials", { credentials: { anthropic: "k" } }, "processes"],
    ["endpoints", { endpoints: { anthropic: "http://127.0.0.1:9" } }, "processes"],
    ["agentVersion", { agentVersion: "1.0.0" }, "admin"],
  ] as const)("%s %j needs %s", async (_, settings, scope) => {
    const { holder, root } = await start();
    const prompter = await holder({ scopes: ["read", "prompt"] });
    const refused = await prompter.call("POST", "/v1/sessions/a", { body: { agent: "mock", ...settings } });
    expectProblem(refused, "permission_denied");
    expect(refused.json.detail).toContain(`needs ${scope}`);
    expect((await root.get("/v1/sessions")).json.sessions).toEqual([]);
  });

  test("a session with none of them is created, and its mode cannot be changed later either", async () => {
    const { holder } = await start();
    const prompter = await holder({ scopes: ["prompt"] });
    expect((await prompter.call("POST", "/v1/sessions/a", { body: { agent: "mock" } })).status).toBe(200);
    const change = { body: { permissionMode: "bypass" } };
    expectProblem(await prompter.call("PATCH", "/v1/sessions/a", change), "permission_denied");
  });
});

describe("a token for some sessions", () => {
  test("sees and prompts those alone, in lists and streams too", async () => {
    const { url, root, holder } = await start();
    await root.create("mine");
    await root.create("other");
    const limited = await holder({ scopes: ["read", "prompt"], sessions: ["mine", "later"] });
    expect((await limited.get("/v1/sessions/mine")).status).toBe(200);
    expectProblem(await limited.get("/v1/sessions/other"), "permission_denied");
    expectProblem(await limited.get("/v1/sessions/none"), "permission_denied");
    const { json } = await limited.get("/v1/sessions");
    expect(json.sessions.map(({ sessionId }: { sessionId: string }) => sessionId)).toEqual(["mine"]);
    expectProblem(await limited.call("POST", "/v1/sessions/new", { body: { agent: "mock" } }), "permission_denied");
    expect((await limited.call("POST", "/v1/sessions/later", { body: { agent: "mock" } })).status).toBe(200);
    const directory = temporaryDirectory();
    const chosen = { body: { agent: "mock", directory } };
    expectProblem(await limited.call("POST", "/v1/sessions/later", chosen), "permission_denied");
    expectProblem(await limited.call("POST", "/v1/sessions/mine/fork", { body: {} }), "permission_denied");

    const abort = new AbortController();
    onTestFinished(() => abort.abort());
    const stream = await fetch(`${url}/v1/events/sse?offset=0&access_token=${limited.token}`, { signal: abort.signal });
    await root.call("POST", "/v1/sessions/other/messages", { body: { message: "secret" } });
    await root.call("POST", "/v1/sessions/mine/messages", { body: { message: "hello" } });
    let text = "";
    for await (const chunk of stream.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes("turn.ended")) break;
    }
    expect(text).toContain('"session_id":"mine"');
    expect(text).not.toContain('"session_id":"other"');
    expect(text).not.toContain("secret");
  });

  test("reaches the files of its session's directory, and no others", async () => {
    const { root, holder } = await start();
    const [mine, other] = [temporaryDirectory(), temporaryDirectory()];
    await Bun.write(`${mine}/a.txt`, "a");
    await Bun.write(`${other}/b.txt`, "b");
    await root.call("POST", "/v1/sessions/mine", { body: { agent: "mock", directory: mine } });
    await root.call("POST", "/v1/sessions/other", { body: { agent: "mock", directory: other } });
    await root.create("without");
    const limited = await holder({ scopes: ["read", "files"], sessions: ["mine", "without"] });
    const read = (path: string, session?: string) =>
      limited.get(`/v1/fs/file?path=${encodeURIComponent(path)}${session ? `&session_id=${session}` : ""}`);
    expect((await read("a.txt", "mine")).status).toBe(200);
    expect((await read(`${mine}/a.txt`, "mine")).status).toBe(200);
    expect((await read(`${mine}/a.txt`)).status).toBe(200);
    for (const [path, session] of [
      [`${mine}/../etc/passwd`, undefined],
      [`${mine}x/a.txt`, undefined],
      ["a.txt", undefined],
      [`${other}/b.txt`, "mine"],
      ["b.txt", "other"],
      ["/etc/passwd", "mine"],
      ["/etc/passwd", "without"],
    ] as const)
      expect((await read(path, session)).status, `${path} of ${session}`).toBe(403);
    const move = await limited.call("POST", "/v1/fs/move?session_id=mine", {
      body: { from: `${other}/b.txt`, to: "b.txt" },
    });
    expect(move.status).toBe(403);
  });

  test("sends no files from elsewhere to the agent", async () => {
    const { root, holder } = await start();
    const [mine, other] = [temporaryDirectory(), temporaryDirectory()];
    await Bun.write(`${mine}/a.txt`, "a");
    await Bun.write(`${other}/b.txt`, "b");
    symlinkSync(`${other}/b.txt`, `${mine}/link.txt`);
    await root.post("/v1/sessions/mine", { agent: "mock", directory: mine });
    const limited = await holder({ scopes: ["read", "prompt"], sessions: ["mine"] });
    const attach = async (path: string, client = limited) =>
      (await client.post("/v1/sessions/mine/messages", { message: "x", attachments: [{ path }] })).status;
    expect(await attach(`${mine}/a.txt`)).toBe(204);
    for (const path of [`${other}/b.txt`, `${mine}/link.txt`, `${mine}/../x`, "/etc/passwd"])
      expect(await attach(path), path).toBe(403);
    expect(await attach(`${mine}/a.txt`, await holder({ scopes: ["prompt"] }))).toBe(403);
  });

  test("is rejected for resources without a session", async () => {
    const { holder } = await start();
    const limited = await holder({ scopes: ["admin"], sessions: ["mine"] });
    for (const path of ["/v1/processes", "/v1/terminals", "/v1/acp", "/v1/tokens", "/session", "/opencode/session"])
      expect((await limited.get(path)).status, path).toBe(403);
  });
});

describe("a token made by another", () => {
  test("allows no more than that one: scopes, sessions and time", async () => {
    const { url, holder } = await start();
    const limited = await holder({ scopes: ["admin"], sessions: ["a", "b"], expiresInSeconds: 60 });
    const make = (body: Grant) => limited.call("POST", "/v1/tokens", { body });
    expectProblem(await make({ scopes: ["read"], sessions: ["c"] }), "permission_denied");
    const { json } = await make({ scopes: ["read"], sessions: ["a"], expiresInSeconds: 3600 });
    expect(Date.parse(json.expiresAt)).toBeLessThanOrEqual(Date.now() + 60_000);
    expect((await make({ scopes: ["read"] })).json.sessions).toEqual(["a", "b"]);
    const access = await new TestClient(url, json.token).get("/v1/access");
    expect(access.json).toMatchObject({ kind: "token", scopes: ["read"], sessions: ["a"] });
  });
});

describe("a token ends", () => {
  test("when it is revoked, with its streams, also after a restart", async () => {
    const dataDir = temporaryDirectory();
    const { url, root, holder, stop } = await start(dataDir);
    await root.create("a");
    const reader = await holder({ scopes: ["read"] });
    const stream = await fetch(`${url}/v1/sessions/a/events/sse`, {
      headers: { authorization: `Bearer ${reader.token}` },
    });
    expect((await root.call("DELETE", `/v1/tokens/${reader.id}`)).status).toBe(204);
    await stream.text();
    expectInvalidToken(await reader.get("/v1/sessions"), "the token was revoked");
    expect((await root.get("/v1/tokens")).json.tokens).toMatchObject([{ id: reader.id, scopes: ["read"] }]);
    await stop();
    const again = await startTestDaemon({ token, dataDir });
    expectInvalidToken(await new TestClient(again.url, reader.token).get("/v1/sessions"));
  });

  test("when its time is over, with its streams", async () => {
    const { url, root, holder } = await start();
    await root.create("a");
    const reader = await holder({ scopes: ["read"], expiresInSeconds: 2 });
    const stream = await fetch(`${url}/v1/sessions/a/events/sse?access_token=${reader.token}`);
    await stream.text();
    expectInvalidToken(await reader.get("/v1/sessions"), "the token has expired");
  });

  test("not with a restart", async () => {
    const dataDir = temporaryDirectory();
    const { holder, stop } = await start(dataDir);
    const reader = await holder({ scopes: ["read"] });
    await stop();
    const again = await startTestDaemon({ token, dataDir });
    expect((await new TestClient(again.url, reader.token).get("/v1/sessions")).status).toBe(200);
  });
});

describe("a forged token is rejected", () => {
  test.each([
    ["without a signature", (parts: string[]) => [unsigned("none"), parts[1], ""]],
    ["with an empty signature", (parts: string[]) => [parts[0], parts[1], "AA"]],
    ["with other claims", (parts: string[]) => [parts[0], withScopes(parts[1] ?? "", ["admin"]), parts[2]]],
    ["with the algorithm none", (parts: string[]) => [unsigned("none"), parts[1], parts[2]]],
    ["with a symmetric algorithm", (parts: string[]) => [unsigned("HS256"), parts[1], parts[2]]],
  ])("%s", async (_, forge) => {
    const { url, holder } = await start();
    const reader = await holder({ scopes: ["read"] });
    const forged = forge((reader.token ?? "").split(".")).join(".");
    expectInvalidToken(await new TestClient(url, forged).get("/v1/sessions"));
  });

  test("of another daemon", async () => {
    const [one, other] = [await start(), await start()];
    const reader = await one.holder({ scopes: ["read"] });
    expectInvalidToken(await new TestClient(other.url, reader.token).get("/v1/sessions"));
  });
});

function unsigned(alg: string): string {
  return Buffer.from(JSON.stringify({ alg, typ: "JWT" })).toString("base64url");
}

function withScopes(payload: string, granted: Scope[]): string {
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  return Buffer.from(JSON.stringify({ ...claims, scopes: granted })).toString("base64url");
}
