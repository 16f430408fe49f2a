/** The daemons that this browser has connected to, newest first. Stored in local storage, including tokens. */
export interface Connection {
  endpoint: string;
  token?: string;
  /** Sent with every request, for proxies in front of the daemon. */
  headers?: Record<string, string>;
}

const storageKey = "sandbox-agent.connections";
const maxConnections = 10;

export function readConnections(): Connection[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored.flatMap((entry) => parseConnection(entry) ?? []) : [];
  } catch {
    return [];
  }
}

export function rememberConnection(connection: Connection): void {
  const others = readConnections().filter(({ endpoint }) => endpoint !== connection.endpoint);
  write([connection, ...others].slice(0, maxConnections));
}

export function forgetConnection(endpoint: string): void {
  write(readConnections().filter((connection) => connection.endpoint !== endpoint));
}

function write(connections: Connection[]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(connections));
  } catch {
    // Local storage is full or disabled. The connection works without being stored.
  }
}

function parseConnection(value: unknown): Connection | null {
  if (typeof value !== "object" || value === null || !("endpoint" in value)) return null;
  const { endpoint } = value;
  if (typeof endpoint !== "string" || normalizeEndpoint(endpoint) === null) return null;
  const token = "token" in value && typeof value.token === "string" ? value.token : undefined;
  const headers = "headers" in value ? parseHeaders(value.headers) : undefined;
  return { endpoint, ...(token && { token }), ...(headers && { headers }) };
}

export function parseHeaders(value: unknown): Record<string, string> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const entries = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** Accepts an address without a scheme or with a trailing slash. Null when it is not a valid address. */
export function normalizeEndpoint(text: string): string | null {
  const trimmed = text.trim();
  const withScheme = /^[a-z]+:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  if (!URL.canParse(withScheme)) return null;
  const { protocol, origin, pathname } = new URL(withScheme);
  if (protocol !== "http:" && protocol !== "https:") return null;
  return origin + pathname.replace(/\/+$/, "");
}
