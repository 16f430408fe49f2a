/**
 * A client for tests that checks every response against the OpenAPI document: the status must be documented, the body must match the
 * schema, and unknown fields are errors.
 */
import { type Operation, openApiDocument, operations, type UniversalEvent } from "@sandbox-agent/schema";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { EventReader } from "./event-reader.ts";
import { readFrames, type SseFrame } from "./sse.ts";

export interface CallOptions {
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers have many shapes and are checked against the schema
  json: any;
  text: string;
}

const document = openApiDocument({ version: "0.0.0", closed: true });
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: "api", ...document });
// Compiled here, because it would block a daemon in the same process for a noticeable time.
ajv.getSchema("api#/components/schemas/UniversalEvent");

export class TestClient {
  constructor(
    readonly url: string,
    readonly token: string | null = null,
  ) {}

  get(path: string, options?: CallOptions): Promise<Answer> {
    return this.call("GET", path, options);
  }

  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer> {
    return this.call("POST", path, { ...options, body });
  }

  patch(path: string, body?: unknown, options?: CallOptions): Promise<Answer> {
    return this.call("PATCH", path, { ...options, body });
  }

  /** Strings and bytes are sent unchanged. */
  put(path: string, body: unknown, options?: CallOptions): Promise<Answer> {
    return this.call("PUT", path, { ...options, body });
  }

  delete(path: string, options?: CallOptions): Promise<Answer> {
    return this.call("DELETE", path, options);
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const response = await this.fetch(method, path, options);
    const text = await response.text();
    const type = response.headers.get("content-type") ?? "";
    const json = type.includes("json") ? JSON.parse(text) : undefined;
    checkAnswer(method, path, response.status, type, json);
    return { status: response.status, headers: response.headers, json, text };
  }

  /** The raw response, for streams. */
  fetch(method: string, path: string, { body, headers = {}, signal }: CallOptions = {}): Promise<Response> {
    return fetch(this.url + path, {
      method,
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(this.token !== null && { authorization: `Bearer ${this.token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: isRawBody(body) ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  }

  async create(sessionId: string, body: Record<string, unknown> = {}): Promise<Answer> {
    return this.post(`/v1/sessions/${encodeURIComponent(sessionId)}`, { agent: "mock", ...body });
  }

  send(sessionId: string, message: string, extra: Record<string, unknown> = {}): Promise<Answer> {
    return this.post(`/v1/sessions/${encodeURIComponent(sessionId)}/messages`, { message, ...extra });
  }

  /** Sends a message and returns the events of its stream, each checked against the schema. */
  async stream(sessionId: string, message: string, extra: Record<string, unknown> = {}): Promise<UniversalEvent[]> {
    const path = `/v1/sessions/${encodeURIComponent(sessionId)}/messages/stream`;
    const response = await this.fetch("POST", path, { body: { message, ...extra } });
    if (response.status !== 200) throw new Error(`stream failed with ${response.status}: ${await response.text()}`);
    const events: UniversalEvent[] = [];
    for await (const frame of readFrames(response)) events.push(checkedEvent(frame));
    return events;
  }

  /** Frames of an event stream until the caller stops reading. */
  async *frames(path: string, options: CallOptions = {}): AsyncGenerator<SseFrame & { event: UniversalEvent }> {
    const response = await this.fetch("GET", path, options);
    if (response.status !== 200) throw new Error(`${path} failed with ${response.status}: ${await response.text()}`);
    for await (const frame of readFrames(response)) yield { ...frame, event: checkedEvent(frame) };
  }

  /** Opens a stream. Resolves when the daemon has responded, so that all later events are on it. */
  async open(
    path: string,
    { method = "GET", ...options }: CallOptions & { method?: string } = {},
  ): Promise<EventReader> {
    const response = await this.fetch(method, path, options);
    if (response.status !== 200) throw new Error(`${path} failed with ${response.status}: ${await response.text()}`);
    return new EventReader(response, checkedEvent);
  }

  async events(sessionId: string, query = ""): Promise<UniversalEvent[]> {
    const { json } = await this.get(`/v1/sessions/${encodeURIComponent(sessionId)}/events${query}`);
    return json.events;
  }

  /** Waits until the session has reached a condition, with the wait operation of the daemon. */
  async wait(sessionId: string, until = "idle", timeoutMs = 100_000): Promise<Answer> {
    const path = `/v1/sessions/${encodeURIComponent(sessionId)}/wait?until=${until}&timeout_ms=${timeoutMs}`;
    const answer = await this.get(path);
    if (answer.json.reached === null) throw new Error(`session ${sessionId} did not reach ${until}: ${answer.text}`);
    return answer;
  }
}

function checkAnswer(method: string, path: string, status: number, type: string, json: unknown): void {
  const operation = operationAt(method, path);
  const isProblem = type.startsWith("application/problem+json");
  if (!operation) return isProblem ? validate("#/components/schemas/Problem", json, path) : undefined;
  const pointer = `#/paths/${escapePointer(operation.path)}/${method.toLowerCase()}/responses/${status}`;
  if (isProblem) return validate(`${pointer}/content/application~1problem+json/schema`, json, path);
  if ("partial" in operation.success && (status === 206 || status === 304)) return;
  if (status === 202 && "accepted" in operation.success) return;
  if (status !== operation.success.status)
    throw new Error(`${method} ${path} returned an undocumented status ${status}`);
  if ("json" in operation.success) validate(`${pointer}/content/application~1json/schema`, json, path);
}

/** Bytes and strings are sent unchanged, so that tests can send invalid JSON. */
function isRawBody(body: unknown): body is string | Uint8Array<ArrayBuffer> | ReadableStream {
  return typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream;
}

function checkedEvent(frame: SseFrame): UniversalEvent {
  const event = JSON.parse(frame.data);
  validate("#/components/schemas/UniversalEvent", event, "stream");
  return event;
}

function validate(pointer: string, value: unknown, where: string): void {
  const check = ajv.getSchema(`api${pointer}`);
  if (!check) throw new Error(`the OpenAPI document has nothing at ${pointer}`);
  if (check(value)) return;
  throw new Error(`${where}: the response does not match ${pointer}: ${ajv.errorsText(check.errors)}`);
}

function operationAt(method: string, path: string): Operation | undefined {
  const { pathname } = new URL(path, "http://localhost");
  return Object.values<Operation>(operations).find(
    (operation) =>
      operation.method === method && new RegExp(`^${operation.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(pathname),
  );
}

function escapePointer(path: string): string {
  return encodeURIComponent(path.replaceAll("~", "~0").replaceAll("/", "~1"));
}
