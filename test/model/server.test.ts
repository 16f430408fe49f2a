import { describe, expect, onTestFinished, test } from "vitest";
import { readFrames } from "../harness/sse.ts";
import { type ModelServer, startModelServer } from "./server.ts";

interface Protocol {
  path: string;
  headers: Record<string, string>;
  /** A request that holds one user message and offers one shell tool. */
  body(prompt: string): Record<string, unknown>;
  /** The text in one stream event, if any. */
  delta(event: Record<string, unknown>): string | null;
  /** The event that ends a whole stream. */
  last: string;
}

const json = { "content-type": "application/json" };
const protocols: Record<string, Protocol> = {
  anthropic: {
    path: "/v1/messages",
    headers: { ...json, "x-api-key": "test-key", "anthropic-version": "2023-06-01" },
    body: (prompt) => ({
      model: "m",
      max_tokens: 100,
      messages: [{ role: "user", content: prompt }],
      tools: [{ name: "Bash", input_schema: { type: "object" } }],
    }),
    delta: (event) => stringAt(event, "delta", "text"),
    last: '{"type":"message_stop"}',
  },
  responses: {
    path: "/v1/responses",
    headers: { ...json, authorization: "Bearer test-key" },
    body: (prompt) => ({
      model: "m",
      input: [{ type: "message", role: "user", content: [{ type: "input_text", text: prompt }] }],
      tools: [{ type: "function", name: "exec_command" }],
    }),
    delta: (event) => (event.type === "response.output_text.delta" ? String(event.delta) : null),
    last: '"type":"response.completed"',
  },
  chat: {
    path: "/v1/chat/completions",
    headers: { ...json, authorization: "Bearer test-key" },
    body: (prompt) => ({
      model: "m",
      messages: [{ role: "user", content: prompt }],
      tools: [{ type: "function", function: { name: "bash" } }],
    }),
    delta: (event) => stringAt(event, "choices", "0", "delta", "content"),
    last: "[DONE]",
  },
};
const names = Object.keys(protocols);

function protocol(name: string): Protocol {
  const found = protocols[name];
  if (!found) throw new Error(`no protocol ${name}`);
  return found;
}

/** The string that lies at a path of keys, or null. */
function stringAt(value: unknown, ...keys: string[]): string | null {
  const found = keys.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), value);
  return typeof found === "string" ? found : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

async function server(): Promise<ModelServer> {
  const started = await startModelServer();
  onTestFinished(() => started.close());
  return started;
}

function post(to: ModelServer, name: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const { path, headers: usual } = protocol(name);
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return fetch(to.url + path, { method: "POST", headers: { ...usual, ...headers }, body: text });
}

function stream(to: ModelServer, name: string, prompt: string): Promise<Response> {
  return post(to, name, { ...protocol(name).body(prompt), stream: true });
}

async function collect(name: string, response: Response): Promise<{ text: string; last: string; broken: boolean }> {
  let text = "";
  let last = "";
  try {
    for await (const frame of readFrames(response)) {
      last = frame.data;
      const event: unknown = last.startsWith("{") ? JSON.parse(last) : null;
      if (isRecord(event)) text += protocol(name).delta(event) ?? "";
    }
  } catch {
    return { text, last, broken: true };
  }
  return { text, last, broken: false };
}

describe.each(names)("%s", (name) => {
  test("streams text and ends as the protocol demands", async () => {
    const response = await stream(await server(), name, "[[say hello  world]]");
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const seen = await collect(name, response);
    expect(seen.text).toBe("hello  world");
    expect(seen.last).toContain(protocol(name).last);
  });

  test("answers whole when no stream is asked for, with the usage", async () => {
    const response = await post(await server(), name, protocol(name).body("[[usage 100 20 30]][[say hello world]]"));
    const text = await response.text();
    expect(text).toContain('"hello world"');
    expect(text).toMatch(/"(cache_read_input_tokens|cached_tokens)":30/);
  });

  test("a dropped stream breaks off after the text, and only once", async () => {
    const to = await server();
    const first = await collect(name, await stream(to, name, "[[say first]][[drop]][[say second]]"));
    expect(first).toMatchObject({ text: "first", broken: true });
    const second = await collect(name, await stream(to, name, "[[say first]][[drop]][[say second]]"));
    expect(second).toMatchObject({ broken: false });
    expect(second.text).toContain("second");
  });

  test("a failure has the status before any text, and is an event after it", async () => {
    const to = await server();
    expect((await stream(to, name, "[[error 529]]")).status).toBe(529);
    const late = await collect(name, await stream(to, name, "[[say first]][[error 500]]"));
    expect(late.text).toBe("first");
    expect(late.last).toContain("Scripted failure");
  });

  test("hanging lasts until the server stops", async () => {
    const to = await startModelServer();
    const silent = stream(to, name, "[[hang]]").then(
      (response) => response.status,
      () => "cut",
    );
    const open = await stream(to, name, "[[say first]][[hang]]");
    const reader = open.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await to.close();
    expect([503, "cut"]).toContain(await silent);
  });

  test("records requests", async () => {
    const to = await server();
    await (await stream(to, name, "hi")).text();
    expect(to.requests).toMatchObject([{ method: "POST", path: protocol(name).path, body: { model: "m" } }]);
    expect(to.requests[0]?.headers["content-type"]).toBe("application/json");
  });

  test.each([
    ["", 401, ""],
    ["bad-key", 401, ""],
    ["expired-key", 401, "token_expired"],
  ])("refuses the key '%s'", async (key, status, type) => {
    const keys: Record<string, string> =
      name === "anthropic" ? { "x-api-key": key } : { authorization: `Bearer ${key}` };
    const response = await post(await server(), name, protocol(name).body("hi"), keys);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(type);
  });

  test("rejects invalid JSON, wrong content types, unknown models and unknown roles", async () => {
    const to = await server();
    const body = protocol(name).body("hi");
    expect((await post(to, name, "{")).status).toBe(400);
    expect((await post(to, name, body, { "content-type": "text/plain" })).status).toBe(400);
    expect((await post(to, name, { ...body, model: "no-such-model" })).status).toBe(404);
    const strange = [{ type: "message", role: "robot", content: "hi" }];
    expect((await post(to, name, { ...body, messages: strange, input: strange })).status).toBe(400);
  });
});

describe("tool calls must be answered, and answers must have been asked for", () => {
  const call = { id: "call_s0n1_x", name: "x" };
  const cases: [string, string, unknown[]][] = [
    ["anthropic", "unexpected `tool_use_id`", [said({ type: "tool_result", tool_use_id: "t1", content: "x" })]],
    [
      "anthropic",
      "without `tool_result` blocks",
      [said("hi"), { role: "assistant", content: [{ type: "tool_use", ...call, input: {} }] }, said("go on")],
    ],
    [
      "anthropic",
      "signature",
      [said("hi"), { role: "assistant", content: [{ type: "thinking", thinking: "x", signature: "forged" }] }],
    ],
    ["anthropic", 'must use the \\"user\\" role', [{ role: "assistant", content: "hi" }]],
    ["anthropic", "system", [said("hi"), { role: "system", content: "hi" }]],
    ["responses", "No tool call found", [{ type: "function_call_output", call_id: "c", output: "x" }]],
    ["responses", "No tool output found", [{ type: "function_call", call_id: "c", name: "x", arguments: "{}" }]],
    ["chat", "must be a response to", [said("hi"), { role: "tool", tool_call_id: "c", content: "x" }]],
    [
      "chat",
      "did not have response messages",
      [
        said("hi"),
        { role: "assistant", tool_calls: [{ id: "c", type: "function", function: { name: "x", arguments: "{}" } }] },
        said("go on"),
      ],
    ],
  ];

  function said(content: unknown) {
    return { role: "user", content: typeof content === "string" ? content : [content] };
  }

  test.each(cases)("%s: %s", async (name, complaint, messages) => {
    const body = { ...protocol(name).body("hi"), messages, input: messages };
    const response = await post(await server(), name, body);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(complaint);
  });
});

test("Anthropic demands max_tokens and the version header", async () => {
  const to = await server();
  const { max_tokens, ...body } = protocol("anthropic").body("hi");
  expect(max_tokens).toBe(100);
  const response = await post(to, "anthropic", body);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ type: "error", error: { type: "invalid_request_error" } });
  expect((await post(to, "anthropic", protocol("anthropic").body("hi"), { "anthropic-version": "" })).status).toBe(400);
});

test("tokens are counted, models are listed, WebSockets are rejected", async () => {
  const to = await server();
  const { headers, body } = protocol("anthropic");
  const { max_tokens: _, ...countable } = body("hi");
  const request = { method: "POST", headers, body: JSON.stringify(countable) };
  expect(await (await fetch(`${to.url}/v1/messages/count_tokens`, request)).json()).toEqual({ input_tokens: 8 });
  expect(await (await fetch(`${to.url}/v1/models`, { headers })).json()).toMatchObject({ has_more: false });
  const list = await fetch(`${to.url}/v1/models`, { headers: protocol("chat").headers });
  expect(await list.json()).toMatchObject({ object: "list" });
  expect((await fetch(`${to.url}/v1/responses`)).status).toBe(426);
  expect((await fetch(`${to.url}/nowhere`)).status).toBe(404);
});
