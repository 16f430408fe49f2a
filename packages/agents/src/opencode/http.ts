/** Requests to an OpenCode server. Failures become problems with the request and the response. */
import { ProblemError } from "@sandbox-agent/schema";
import type * as z from "zod";
import { parseJson, stringAt } from "../json.ts";

export interface ServerAddress {
  url: string;
  password: string;
}

export interface RequestOptions {
  query?: Record<string, string>;
  body?: unknown;
  timeoutMs?: number;
}

const defaultTimeoutMs = 30_000;

export function authorization({ password }: ServerAddress): string {
  return `Basic ${btoa(`opencode:${password}`)}`;
}

/** The JSON of the response; undefined if its body is empty. */
export async function request(
  address: ServerAddress,
  method: "GET" | "POST" | "PATCH",
  path: string,
  { query = {}, body, timeoutMs = defaultTimeoutMs }: RequestOptions = {},
): Promise<unknown> {
  const what = `${method} ${path}`;
  const response = await fetch(`${address.url}${path}?${new URLSearchParams(query)}`, {
    method,
    headers: {
      authorization: authorization(address),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: Error) => {
    const kind = error.name === "TimeoutError" ? "timeout" : "stream_error";
    throw problem(kind, `OpenCode did not answer ${what}: ${error.message}`);
  });
  const text = await response.text();
  const json = parseJson(text);
  if (!response.ok) {
    const reason = stringAt(json, "data", "message") ?? stringAt(json, "message") ?? text.slice(0, 500);
    const kind = response.status === 404 ? "not_found" : "stream_error";
    throw problem(kind, `OpenCode answered ${what} with ${response.status}: ${reason}`);
  }
  // OpenCode answers unknown paths with the HTML page of its web interface.
  if (json === undefined && text !== "")
    throw problem("stream_error", `OpenCode does not support ${what}; check that a compatible version is installed`);
  return json;
}

export async function requestAs<T>(schema: z.ZodType<T>, ...args: Parameters<typeof request>): Promise<T> {
  const result = schema.safeParse(await request(...args));
  if (result.success) return result.data;
  const what = `${args[1]} ${args[2]}`;
  throw problem("stream_error", `OpenCode answered ${what} with an unexpected body: ${result.error.message}`);
}

export function problem(kind: ProblemError["kind"], message: string): ProblemError {
  return new ProblemError(kind, message, { agent: "opencode" });
}
