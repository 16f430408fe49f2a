/** Requests to a server of OpenCode. Failures become problems that say what was asked and what came back. */
import { ProblemError } from "@sandbox-agent/schema";
import type * as z from "zod";
import { memberOf } from "./translate/native.ts";

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

/** The JSON of the answer, undefined if it has none. */
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
    throw new ProblemError(kind, `OpenCode did not answer ${what}: ${error.message}`, { agent: "opencode" });
  });
  const text = await response.text();
  if (!response.ok) throw refused(what, response.status, text);
  if (text === "") return undefined;
  return parsed(what, text);
}

export async function requestAs<T>(schema: z.ZodType<T>, ...args: Parameters<typeof request>): Promise<T> {
  const result = schema.safeParse(await request(...args));
  if (result.success) return result.data;
  const what = `${args[1]} ${args[2]}`;
  throw new ProblemError("stream_error", `OpenCode answered ${what} in an unknown way: ${result.error.message}`, {
    agent: "opencode",
  });
}

function parsed(what: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Paths it does not know are answered with the page of its web interface.
    throw new ProblemError("stream_error", `OpenCode does not know ${what}; is it another version?`, {
      agent: "opencode",
    });
  }
}

function refused(what: string, status: number, text: string): ProblemError {
  const kind = status === 404 ? "not_found" : "stream_error";
  return new ProblemError(kind, `OpenCode answered ${what} with ${status}: ${reason(text)}`, { agent: "opencode" });
}

function reason(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    const message = memberOf(memberOf(body, "data"), "message") ?? memberOf(body, "message");
    return typeof message === "string" ? message : text.slice(0, 500);
  } catch {
    return text.slice(0, 500);
  }
}
