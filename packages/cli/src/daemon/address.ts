/** Where a background daemon listens. The pair is its identity: there is one daemon per address. */

export interface Address {
  host: string;
  port: number;
}

/** A URL that reaches it from this machine. */
export function urlOf({ host, port }: Address): string {
  if (host === "0.0.0.0") return `http://127.0.0.1:${port}`;
  if (host === "::") return `http://[::1]:${port}`;
  return host.includes(":") ? `http://[${host}]:${port}` : `http://${host}:${port}`;
}
