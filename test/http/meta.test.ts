/** The server about itself: health, version, its own API document, and the pages for people. */
import { version } from "@sandbox-agent/daemon";
import { type Operation, operations } from "@sandbox-agent/schema";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { startTestClient } from "../harness/daemon.ts";
import { expectProblem } from "../harness/problem.ts";

const allOperations = Object.entries<Operation>(operations);

test("the root names the next steps in plain text", async () => {
  const client = await startTestClient();
  const answer = await client.get("/");
  expect(answer.text).toMatch(/\/v1\/health[\s\S]*\/ui\//);
});

test("the root is plain text", async () => {
  const client = await startTestClient();
  const answer = await client.get("/");
  expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
});

test("health is ok", async () => {
  const client = await startTestClient();
  const answer = await client.get("/v1/health");
  expect(answer.json).toEqual({ status: "ok" });
});

test("HEAD is answered like GET, without a body", async () => {
  const client = await startTestClient();
  const answer = await client.fetch("HEAD", "/v1/health");
  expect([answer.status, await answer.text()]).toEqual([200, ""]);
});

test("the version names program, version, runtime and platform", async () => {
  const client = await startTestClient();
  const answer = await client.get("/v1/version");
  expect(answer.json).toEqual({
    name: "sandbox-agent",
    version,
    runtime: expect.stringMatching(/^bun \d/),
    platform: `${process.platform}-${process.arch}`,
  });
});

describe("the OpenAPI document", () => {
  test("is valid OpenAPI 3.1", async () => {
    const client = await startTestClient();
    const { json } = await client.get("/v1/openapi.json");
    const { valid, errors } = await new Validator().validate(json);
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  test("describes every operation", async () => {
    const client = await startTestClient();
    const { json } = await client.get("/v1/openapi.json");
    const described = allOperations.map(
      ([, { path, method }]) => json.paths[path]?.[method.toLowerCase()]?.operationId,
    );
    expect(described).toEqual(allOperations.map(([id]) => id));
  });
});

describe("the API reference", () => {
  test("is a page that names every path", async () => {
    const client = await startTestClient();
    const { text } = await client.get("/docs");
    const missing = allOperations.filter(([, { path }]) => !text.includes(path));
    expect(missing).toEqual([]);
  });

  test("loads nothing from outside", async () => {
    const client = await startTestClient();
    const { text } = await client.get("/docs");
    expect(text).not.toMatch(/(src|href)="(https?:)?\/\/|@import|url\(/);
  });
});

describe("the inspector", () => {
  test.each(["/ui", "/ui/", "/ui/sessions/first"])("%s is a page", async (path) => {
    const client = await startTestClient();
    const { status, headers } = await client.get(path);
    expect([status, headers.get("content-type")]).toEqual([200, expect.stringMatching(/^text\/html/)]);
  });

  test("a missing asset is a problem", async () => {
    const client = await startTestClient();
    expectProblem(await client.get("/ui/missing.js"), "not_found");
  });
});
