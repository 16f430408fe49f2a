import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { generatedFiles } from "../../packages/sdk/generate/files.ts";
import { methodsOf } from "../../packages/sdk/generate/methods.ts";
import { methodsFile, operationTable, signature } from "../../packages/sdk/generate/typescript.ts";

test("generated files are up to date; if not, run `npm run generate`", async () => {
  for (const [path, text] of await generatedFiles()) expect(readFileSync(path, "utf8"), path).toBe(text);
});

describe("a method is generated", () => {
  const path = { name: "id", in: "path", required: true };
  const done = { "204": {} };

  test("for a binary body: required query first", () => {
    const [method] = methods("put", {
      parameters: [path, { name: "path", in: "query", required: true }],
      requestBody: { required: true, content: { "application/octet-stream": {} } },
      responses: { "200": { content: { "application/json": { schema: { $ref: "#/components/schemas/Written" } } } } },
    });
    expect(method).toBe('act(id: string, query: Query<"act">, bytes: Bytes, options?: CallOptions): Promise<Written>');
  });

  test("for a binary result: returns the response", () => {
    const responses = { "200": { content: { "application/octet-stream": {} } } };
    expect(methods("get", { responses })).toEqual(["act(id: string, options?: CallOptions): Promise<Response>"]);
  });

  test("for a stream, and for JSON of the same operation", () => {
    const events = { "x-event-data": { $ref: "#/components/schemas/Line" } };
    const content = {
      "application/json": { schema: { $ref: "#/components/schemas/Log" } },
      "text/event-stream": events,
    };
    expect(methods("get", { responses: { "200": { content } } })).toEqual([
      "act(id: string, options?: CallOptions): Promise<Log>",
      "actStream(id: string, options?: StreamOptions): AsyncGenerator<Line, void, undefined>",
    ]);
  });

  test("for a WebSocket: returns its URL", () => {
    expect(methods("get", { responses: { "101": {} } })).toEqual(["act(id: string): string"]);
  });

  test("for an operation with an idempotency key and no result", () => {
    const parameters = [path, { name: "Idempotency-Key", in: "header", required: false }];
    const document = api("post", { parameters, responses: done });
    expect(operationTable(methodsOf(document))).toContain(
      'act: { method: "POST", path: "/things/{id}/act", keyed: true }',
    );
    expect(methodsFile(methodsOf(document))).toContain(
      'act: (id, options) => api.nothing("act", { path: { id }, ...options })',
    );
  });

  function methods(verb: string, operation: object): string[] {
    return methodsOf(api(verb, operation)).map(signature);
  }

  function api(verb: string, operation: object): object {
    const described = { operationId: "act", tags: ["things"], summary: "Act", parameters: [path], ...operation };
    return { paths: { "/things/{id}/act": { [verb]: described } } };
  }
});
