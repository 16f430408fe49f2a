/**
 * Requests for content that is executed or trusted: over https, or from this machine itself. Every redirect must follow the
 * same rule, and none may lead from https to another protocol.
 */

/** The URL, or one it redirects to, is not secure. The message includes what to do. */
export class InsecureAddress extends Error {
  override name = "InsecureAddress";
}

export interface FetchOptions {
  /** Allow plain http to other machines. */
  allowPlain: boolean;
  signal: AbortSignal;
  headers?: Record<string, string>;
}

const maxRedirects = 10;
const redirects = new Set([301, 302, 303, 307, 308]);

/** The response after all redirects. */
export async function fetchSecurely(url: string, options: FetchOptions): Promise<Response> {
  let address = checked(url, null, options);
  for (let count = 0; count <= maxRedirects; count += 1) {
    const response = await request(address, options);
    const location = redirects.has(response.status) ? response.headers.get("location") : null;
    if (location === null) return response;
    await response.body?.cancel();
    address = checked(location, address, options);
  }
  throw new Error(`it redirects more than ${maxRedirects} times`);
}

/** The first response, which may be a redirect. */
export async function fetchOnce(url: string, options: FetchOptions): Promise<Response> {
  return request(checked(url, null, options), options);
}

function request(address: URL, { signal, headers = {} }: FetchOptions): Promise<Response> {
  return fetch(address, { signal, headers, redirect: "manual" });
}

function checked(text: string, from: URL | null, { allowPlain }: FetchOptions): URL {
  const address = URL.parse(text, from?.href);
  if (!address) throw new InsecureAddress(`${text} is not a URL; pass one that starts with https://`);
  if (address.protocol === "https:") return address;
  if (address.protocol !== "http:")
    throw new InsecureAddress(`${shown(address)} is not an https address, and nothing else is downloaded`);
  if (from?.protocol === "https:")
    throw new InsecureAddress(`${shown(from)} redirects to ${shown(address)}, which is not encrypted`);
  if (allowPlain || isThisMachine(address.hostname)) return address;
  throw new InsecureAddress(
    `${shown(address)} is not encrypted, so the download could be changed on the way; use https, or ${allowHint}`,
  );
}

/** How to allow unverified downloads, as part of a message. */
export const allowHint =
  "allow it with --allow-unverified-downloads of `server` and `install-agent` (or SANDBOX_AGENT_ALLOW_UNVERIFIED_DOWNLOADS=1)";

function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** The URL without parts that may contain secrets. */
function shown({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}
