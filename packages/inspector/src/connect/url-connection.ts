/** A connection in the URL of the page, as `buildInspectorUrl` of the SDK writes it: token, headers, endpoint. */
import { type Connection, normalizeEndpoint, parseHeaders } from "./connection-store.ts";

export interface UrlConnection {
  connection: Connection | null;
  /** The URL without it: a token must not be in the browser history. */
  cleaned: string;
}

/**
 * Whether a connection from the URL is used without confirmation: to the daemon that served the page, or to one that was used before.
 * Anyone can create a link, and messages would be sent to its daemon.
 */
export function isTrusted({ endpoint }: Connection, own: string, known: readonly Connection[]): boolean {
  return endpoint === own || known.some((each) => each.endpoint === endpoint);
}

export function connectionInUrl(href: string): UrlConnection {
  const url = new URL(href);
  const { searchParams } = url;
  const endpoint = normalizeEndpoint(searchParams.get("endpoint") ?? url.origin);
  const token = searchParams.get("token");
  const headers = parseHeaders(parseJson(searchParams.get("headers")));
  const isGiven = token !== null || headers !== undefined || searchParams.has("endpoint");
  for (const name of ["endpoint", "token", "headers"]) searchParams.delete(name);
  return {
    connection: isGiven && endpoint ? { endpoint, ...(token && { token }), ...(headers && { headers }) } : null,
    cleaned: url.pathname + url.search + url.hash,
  };
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}
