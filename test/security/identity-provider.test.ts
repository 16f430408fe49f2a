/** Tokens of an identity provider, which is played by a server that publishes its keys. */
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { describe, expect, onTestFinished, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { startTestDaemon } from "../harness/daemon.ts";
import { expectInvalidToken, expectProblem } from "../harness/problem.ts";

const issuer = "https://login.example";
const audience = "sandbox-agent";

async function provider() {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const keys = [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256", use: "sig" }];
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json({ keys }) });
  onTestFinished(() => server.stop(true));
  const sign = (claims: JWTPayload, key = privateKey) =>
    new SignJWT({ sub: "ada", iss: issuer, aud: audience, ...claims })
      .setProtectedHeader({ alg: "ES256", kid: "one" })
      .setExpirationTime(claims.exp ?? "5m")
      .sign(key);
  return { jwks: new URL("/keys", server.url).href, sign, stop: () => server.stop(true) };
}

const claims = { scopesClaim: "scope", sessionsClaim: "sandbox_agent_sessions" };

async function start(token: string | null = null) {
  const { jwks, sign, stop } = await provider();
  const { url } = await startTestDaemon({ token, identity: { jwks, issuer, audience: [audience], ...claims } });
  return { sign, stop, as: (bearer: string | null) => new TestClient(url, bearer) };
}

describe("a token of the identity provider", () => {
  test.each([
    ["words", "openid read prompt"],
    ["a list", ["read", "prompt"]],
    ["words with the name of the project", "sandbox-agent:read sandbox-agent:prompt"],
  ])("allows what its scopes grant, as %s", async (_, scope) => {
    const { as, sign } = await start();
    const client = as(await sign({ scope }));
    expect((await client.get("/v1/access")).json).toMatchObject({
      id: "sub:ada",
      kind: "identity",
      scopes: ["read", "prompt"],
      sessions: null,
    });
    expect((await client.get("/v1/sessions")).status).toBe(200);
    expectProblem(await client.get("/v1/processes"), "permission_denied");
  });

  test("may be for some sessions only", async () => {
    const { as, sign } = await start();
    const client = as(await sign({ scope: "read", sandbox_agent_sessions: ["a"] }));
    expectProblem(await client.get("/v1/sessions/b"), "permission_denied");
    expect((await client.get("/v1/sessions/a")).status).toBe(404);
  });

  test("without a scope of ours allows nothing", async () => {
    const { as, sign } = await start();
    expectProblem(await as(await sign({ scope: "openid email" })).get("/v1/sessions"), "permission_denied");
  });

  test("is needed, although the daemon has no token of its own", async () => {
    const { as } = await start();
    expectInvalidToken(await as(null).get("/v1/sessions"));
  });

  test("does not replace the daemon's own", async () => {
    const own = "the-token-of-the-daemon-itself-000";
    const { as } = await start(own);
    expect((await as(own).get("/v1/access")).json).toMatchObject({ kind: "root" });
  });

  test.each([
    ["of another issuer", { iss: "https://other.example" }, 'unexpected "iss"'],
    ["for another audience", { aud: "other" }, 'unexpected "aud"'],
    ["that has expired", { exp: 1 }, "expired"],
    ["whose end is beyond all dates", { exp: 1e15 }, "its exp is no date"],
    ["without a name in sub", { sub: "" }, "its sub is no name"],
  ])("%s is rejected", async (_, change, detail) => {
    const { as, sign } = await start();
    const answer = await as(await sign({ scope: "admin", ...change })).get("/v1/sessions");
    expectInvalidToken(answer);
    expect(answer.json.detail).toContain(detail);
  });

  test("with a foreign signature is rejected", async () => {
    const { as, sign } = await start();
    const { privateKey } = await generateKeyPair("ES256");
    expectInvalidToken(await as(await sign({ scope: "admin" }, privateKey)).get("/v1/sessions"));
  });

  test("cannot be checked while the provider does not answer", async () => {
    const { as, sign, stop } = await start();
    await stop();
    expectProblem(await as(await sign({ scope: "read" })).get("/v1/sessions"), "identity_provider_unavailable");
  });
});
