/**
 * Scripted model servers: Anthropic Messages, OpenAI Responses, OpenAI Chat Completions and Gemini on one loopback port,
 * driven by markers in the prompt (`script.ts`). Real agents run against it, so everything but the model's output is real.
 */
import { anthropic, countTokens } from "./anthropic.ts";
import { chat } from "./chat.ts";
import { answer, type Memory } from "./conversation.ts";
import { Refusal, refuse } from "./exchange.ts";
import { countGeminiTokens, gemini, geminiCall } from "./gemini.ts";
import { openAiRefusal } from "./openai.ts";
import { type Provider, parseJson } from "./provider.ts";
import { responses } from "./responses.ts";
import { streamAnswer } from "./sse.ts";

export interface RecordedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** The parsed JSON; the text itself if it is not JSON; null without a body. */
  body: unknown;
}

export interface ModelServer {
  /** Base of the Anthropic and Gemini APIs; the OpenAI base is `url + "/v1"`. */
  url: string;
  requests: RecordedRequest[];
  /** The newest request with a body, as JSON. Agents also check at any time whether the server is reachable. */
  newestBody(): string;
  close(): Promise<void>;
}

interface Call {
  headers: Headers;
  text: string;
  memory: Memory;
  closed: Promise<void>;
}

export async function startModelServer(): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  const memory: Memory = new Set();
  let release: () => void = () => {};
  const closed = new Promise<void>((resolve) => (release = resolve));
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    // Hanging is one of the things a test asks for.
    idleTimeout: 0,
    maxRequestBodySize: 256 * 1024 * 1024,
    development: false,
    async fetch(request) {
      const text = await request.text();
      requests.push(record(request, text));
      return route(request, { headers: request.headers, text, memory, closed });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    requests,
    newestBody: () => JSON.stringify(requests.findLast(({ body }) => body !== null)?.body ?? null),
    async close() {
      release();
      await server.stop(true);
    },
  };
}

function record(request: Request, text: string): RecordedRequest {
  const headers = Object.fromEntries(request.headers.entries());
  return { method: request.method, path: new URL(request.url).pathname, headers, body: readable(text) };
}

function readable(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function route(request: Request, call: Call): Promise<Response> {
  const { pathname } = new URL(request.url);
  const operation = `${request.method} ${pathname}`;
  if (operation === "POST /v1/messages") return serve(anthropic, call);
  if (operation === "POST /v1/responses") return serve(responses, call);
  if (operation === "POST /v1/chat/completions") return serve(chat, call);
  if (operation === "POST /v1/messages/count_tokens") {
    return guarded(anthropic, call, () => Response.json(countTokens(readJson(call), call.headers)));
  }
  if (operation === "GET /v1/models") return listModels(call);
  const generate = request.method === "POST" ? geminiCall(pathname) : null;
  if (generate) return serveGemini(generate, call);
  // Codex tries a WebSocket first and falls back to SSE on this status.
  if (operation === "GET /v1/responses") return new Response("Upgrade Required", { status: 426 });
  if (request.method === "HEAD" && pathname === "/") return new Response(null);
  return openAiRefusal({ status: 404, type: null, message: `Invalid URL (${operation})` });
}

function serveGemini(asked: { model: string; method: string }, call: Call): Promise<Response> {
  const provider = gemini(asked);
  if (asked.method !== "countTokens") return serve(provider, call);
  return guarded(provider, call, () => Response.json(countGeminiTokens(readJson(call))));
}

function serve(provider: Provider, call: Call): Promise<Response> {
  return guarded(provider, call, async () => {
    const { exchange, stream } = provider.read(readJson(call), call.headers);
    const reply = answer(exchange, call.memory);
    const { ending, outputs } = reply;
    if (ending.type === "failure" && (outputs.length === 0 || !stream)) return provider.refusal(ending.failure);
    if (ending.type === "hang" && (outputs.length === 0 || !stream)) return silence(call.closed);
    if (stream || ending.type === "drop") return streamAnswer(reply, provider.dialect(reply, exchange), call.closed);
    return Response.json(provider.whole(reply, exchange));
  });
}

async function guarded(provider: Provider, call: Call, run: () => Response | Promise<Response>): Promise<Response> {
  try {
    provider.checkKey(call.headers);
    return await run();
  } catch (cause) {
    if (cause instanceof Refusal) return provider.refusal(cause.failure);
    throw cause;
  }
}

function readJson(call: Call): unknown {
  const type = call.headers.get("content-type") ?? "";
  if (type.split(";")[0]?.trim() !== "application/json") {
    refuse(400, `Unsupported content type: '${type}'. This API method only accepts 'application/json' requests.`);
  }
  return parseJson(call.text);
}

/** Not even headers are sent until the server stops. */
async function silence(closed: Promise<void>): Promise<Response> {
  await closed;
  return new Response(null, { status: 503 });
}

/** Both providers list models at the same path; the version header tells them apart. */
function listModels(call: Call): Promise<Response> {
  const isAnthropic = call.headers.has("anthropic-version");
  return guarded(isAnthropic ? anthropic : chat, call, () =>
    Response.json(isAnthropic ? anthropicModels : openAiModels),
  );
}

const anthropicModels = {
  data: [{ type: "model", id: "claude-scripted", display_name: "Scripted", created_at: "2026-01-01T00:00:00Z" }],
  has_more: false,
  first_id: "claude-scripted",
  last_id: "claude-scripted",
};

const openAiModels = {
  object: "list",
  data: [{ id: "scripted", object: "model", created: 1_767_225_600, owned_by: "scripted" }],
};
