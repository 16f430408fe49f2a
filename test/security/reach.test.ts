/** Attempts to access more than a token without admin, or for some sessions, allows. */
import { mkdirSync, readFileSync, rmdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Scope } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { expectProblem } from "../harness/problem.ts";

const token = "the-token-of-the-daemon-itself-000";

async function start(dataDir?: string) {
  const { url } = await startTestDaemon({ token, ...(dataDir && { dataDir }) });
  const root = new TestClient(url, token);
  async function holder(scopes: Scope[], sessions?: string[]): Promise<TestClient> {
    const { json } = await root.post("/v1/tokens", { scopes, ...(sessions && { sessions }) });
    return new TestClient(url, json.token);
  }
  return { url, root, holder };
}

describe("a session whose directory lies in that of another", () => {
  test("is not reached through a link that was put in its place, unless it leads to what the token reaches", async () => {
    const { root, holder } = await start();
    const outside = temporaryDirectory();
    writeFileSync(join(outside, "secret.txt"), "of others");
    const outer = temporaryDirectory();
    const inner = join(outer, "inner");
    mkdirSync(join(outer, "kept"));
    mkdirSync(inner);
    writeFileSync(join(outer, "kept", "own.txt"), "own");
    await root.create("outer", { directory: outer });
    await root.create("inner", { directory: inner });
    const limited = await holder(["read", "files", "prompt"], ["outer", "inner"]);
    rmdirSync(inner);
    symlinkSync(outside, join(outer, "link"));
    const moved = await limited.post("/v1/fs/move?session_id=outer", { from: "link", to: "inner" });
    expect(moved.status).toBe(200);
    const refusal = { status: 403, details: { path: outside, root: outer } };
    for (const query of ["path=secret.txt&session_id=inner", `path=${inner}/secret.txt`])
      expect((await limited.get(`/v1/fs/file?${query}`)).json).toMatchObject(refusal);
    const attachments = [{ path: "secret.txt" }];
    const sent = await limited.post("/v1/sessions/inner/messages", { message: "read", attachments });
    expect(sent.json).toMatchObject(refusal);
    await limited.call("DELETE", "/v1/fs/entry?path=inner&session_id=outer");
    symlinkSync(join(outer, "kept"), inner);
    expect((await limited.get("/v1/fs/file?path=own.txt&session_id=inner")).text).toBe("own");
  });
});

describe("a data directory in the directory of a session", () => {
  test("is not part of checkpoints and diffs", async () => {
    const project = temporaryDirectory();
    const dataDir = join(project, "data");
    const { root, holder } = await start(dataDir);
    await root.create("a", { directory: project });
    const limited = await holder(["read", "files"], ["a"]);
    const made = await limited.post("/v1/sessions/a/checkpoints", {});
    writeFileSync(join(project, "new.txt"), "new");
    writeFileSync(join(dataDir, "private.txt"), "private");
    const { json: diff } = await limited.get(`/v1/sessions/a/checkpoints/${made.json.checkpointId}/preview`);
    expect(diff.files).toMatchObject([{ path: "new.txt" }]);
    await limited.post(`/v1/sessions/a/checkpoints/${made.json.checkpointId}/restore`, {});
    expect(readFileSync(join(dataDir, "private.txt"), "utf8")).toBe("private");
  });

  test("has no checkpoints of its own", async () => {
    const dataDir = temporaryDirectory();
    const { root, holder } = await start(dataDir);
    await root.create("a", { directory: dataDir });
    const limited = await holder(["read", "files"]);
    expect((await limited.post("/v1/sessions/a/checkpoints", {})).json).toMatchObject({ status: 503, sessionId: "a" });
  });
});

describe("a mode that only this agent has, and that may ask for nothing", () => {
  test("needs the scope approve", async () => {
    const { holder } = await start();
    const prompter = await holder(["prompt"]);
    const detail = "permission denied: this token has the scopes prompt; agentMode yolo needs approve";
    const create = { agent: "mock", agentMode: "yolo" };
    expectProblem(await prompter.post("/v1/sessions/a", create), "permission_denied", { detail });
    expect((await prompter.post("/v1/sessions/a", { agent: "mock", agentMode: "plan" })).status).toBe(200);
    const change = { agentMode: "yolo" };
    expectProblem(await prompter.call("PATCH", "/v1/sessions/a", { body: change }), "permission_denied", { detail });
  });
});

describe("the OpenCode API", () => {
  test("answers no secret in an error", async () => {
    const { root } = await start();
    const { text } = await root.get(`/file/content?path=/nonexistent/${token}`);
    expect(text).toContain("/nonexistent/[redacted] does not exist");
    expect(text).not.toContain(token);
  });

  test("is in the audit log with the session, however that is written", async () => {
    const { root, holder } = await start();
    await root.create("a");
    await root.post("/opencode/session/ses_as_YQ/abort");
    await (await holder(["read"])).post("/session/%61/abort");
    expect((await root.get("/v1/audit?session_id=a&limit=2")).json.entries).toMatchObject([
      { operation: "POST /session/:sessionID/abort", status: 403 },
      { operation: "POST /session/:sessionID/abort", status: 200 },
    ]);
  });

  test("has the time to wait after too many wrong tokens", async () => {
    const { url } = await start();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, guess) => new TestClient(url, `guess-number-${guess}`).get("/session")),
    );
    const last = await new TestClient(url, "guess-number-x").get("/session");
    expect(answers.at(0)?.status).toBe(401);
    expect([last.status, last.headers.get("retry-after")]).toEqual([429, "1"]);
  });
});
