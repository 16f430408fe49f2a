/** The OpenCode API with tokens that do not allow everything. */
import { type Scope, scopes } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { startTestDaemon } from "../harness/daemon.ts";

const token = "the-token-of-the-daemon-itself-000";
const converse: Scope[] = ["read", "prompt", "approve"];

const routes: [string, Scope[]][] = [
  ["GET /session", ["read"]],
  ["GET /session/x", ["read"]],
  ["GET /session/x/message", ["read"]],
  ["GET /session/status", ["read"]],
  ["GET /config", ["read"]],
  ["GET /provider", ["read"]],
  ["GET /permission", ["read"]],
  ["GET /question", ["read"]],
  ["GET /file?path=.", ["read"]],
  ["GET /file/content?path=x", ["read"]],
  ["GET /find/file?query=x", ["read"]],
  ["POST /session", converse],
  ["PATCH /session/x", converse],
  ["POST /session/x/message", converse],
  ["POST /session/x/prompt_async", converse],
  ["POST /session/x/command", converse],
  ["POST /session/x/init", converse],
  ["POST /session/x/fork", converse],
  ["POST /session/x/abort", ["prompt"]],
  ["POST /session/x/permissions/p", ["approve"]],
  ["POST /permission/p/reply", ["approve"]],
  ["POST /question/q/reply", ["approve"]],
  ["POST /question/q/reject", ["approve"]],
  ["POST /session/x/revert", ["files"]],
  ["POST /session/x/unrevert", ["files"]],
  ["GET /pty", ["processes"]],
  ["GET /pty/shells", ["processes"]],
  ["GET /pty/x", ["processes"]],
  ["POST /pty", ["processes"]],
  ["PUT /pty/x", ["processes"]],
  ["DELETE /pty/x", ["processes"]],
  ["POST /pty/x/connect-token", ["processes"]],
  ["GET /pty/x/connect", ["processes"]],
  ["DELETE /session/x", ["admin"]],
  ["POST /session/x/share", ["admin"]],
  ["POST /session/x/shell", ["admin"]],
];

describe.each(["", "/opencode"])("the OpenCode API at %j", (prefix) => {
  test("is rejected without one of the scopes of a route, and allowed with them", async () => {
    const { url } = await startTestDaemon({ token });
    const root = new TestClient(url, token);
    const tokens = new Map<string, string>();
    const call = async (route: string, granted: readonly Scope[]): Promise<number> => {
      const key = granted.join();
      const bearer = tokens.get(key) ?? (await root.post("/v1/tokens", { scopes: granted })).json.token;
      tokens.set(key, bearer);
      const [method = "", path = ""] = route.split(" ");
      const response = await fetch(`${url}${prefix}${path}`, {
        method,
        headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
        ...(method !== "GET" && { body: "{}" }),
      });
      await response.body?.cancel();
      return response.status;
    };
    for (const [route, needed] of routes) {
      for (const missing of needed) {
        const others = scopes.filter((scope) => scope !== missing && scope !== "admin");
        expect(await call(route, others), `${route} without ${missing}`).toBe(403);
      }
      expect([401, 403], `${route} with ${needed}`).not.toContain(await call(route, needed));
    }
  });
});
