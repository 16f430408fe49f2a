/**
 * Which requests are served at all, checked before everything else. Access to the daemon means running commands, and a browser
 * on the same machine reaches it on behalf of any web page. Two checks keep web pages out:
 *
 * - Host: without a token, only names that this daemon is known by are served. A page can have the DNS name of its own server
 *   resolve to this machine (DNS rebinding) and is then of the same origin; its requests still carry that name. With a token
 *   any name is served, because such a page does not have the token.
 * - Origin and Sec-Fetch-Site: requests that a browser sends for a page of another origin are refused, unless CORS allows that
 *   origin. Opening one of the daemon's own pages by a link is permitted.
 *
 * Programs other than browsers send none of these headers, except Host.
 */
import { ProblemError } from "@sandbox-agent/schema/problem";
import { allowsOrigin, type CorsOptions, isPreflight } from "../http/cors.ts";
import { pathOf } from "../http/request-url.ts";

export interface GuardOptions {
  /** The address or name that the server listens on. */
  host: string;
  allowHosts: readonly string[];
  /** Whether requests need a token. */
  isProtected: boolean;
  cors: CorsOptions;
}

/** Why a request is refused; null if it is not. */
export type RequestGuard = (request: Request) => ProblemError | null;

export function requestGuard({ host, allowHosts, isProtected, cors }: GuardOptions): RequestGuard {
  const known = new Set(["localhost", ...[host, ...allowHosts].map((name) => nameIn(name) ?? name)]);

  function refusedHost(request: Request): ProblemError | null {
    const given = request.headers.get("host");
    // Browsers always send one; load balancers that check health may not.
    if (!given) return null;
    const name = nameIn(given);
    if (name !== null && (known.has(name) || name.endsWith(".localhost") || isAddress(name))) return null;
    const shown = quoted(name ?? given);
    return denied(
      `host ${shown} is not allowed without a token; start the server with --allow-host ${name ? shown : "<name>"}, or with a token`,
    );
  }

  function refusedOrigin(request: Request): ProblemError | null {
    const { headers } = request;
    const origin = headers.get("origin");
    const site = headers.get("sec-fetch-site");
    // Set by the browser, out of reach of pages. Behind a proxy that changes Host, Origin and Host differ.
    if (site === "same-origin") return null;
    if (origin !== null) {
      if (allowsOrigin(cors, origin) || isSameOrigin(origin, headers.get("host"))) return null;
      // The answer to a preflight does not allow this origin either, but it is CORS that answers.
      if (cors.origins.length > 0 && isPreflight(request)) return null;
      const shown = quoted(origin);
      return denied(`pages of ${shown} may not use this server; allow them with --cors-allow-origin ${shown}`);
    }
    if ((site !== "cross-site" && site !== "same-site") || isVisit(request)) return null;
    return denied("pages of other origins may not use this server; allow them with --cors-allow-origin <origin>");
  }

  return (request) => (isProtected ? null : refusedHost(request)) ?? refusedOrigin(request);
}

/** The name in a Host header: in lower case, without port and without the dot that marks a complete name. Null if malformed. */
function nameIn(host: string): string | null {
  const [, name] = /^(\[[\da-f:.]+\]|[^\s:,/@[\]]+)(?::\d*)?$/.exec(host.trim().toLowerCase()) ?? [];
  return name?.replace(/\.$/, "") || null;
}

/** An IP address is not resolved, so no DNS server can have it lead here. */
function isAddress(name: string): boolean {
  return name.startsWith("[") || /^\d{1,3}(\.\d{1,3}){3}$/.test(name);
}

/** Compares host and port. Not the scheme: a proxy in front of the server may be the one that terminates TLS. */
function isSameOrigin(origin: string, host: string | null): boolean {
  const page = URL.parse(origin);
  return page !== null && page.host !== "" && page.host === URL.parse(`${page.protocol}//${host}`)?.host;
}

const pages = /^\/(?:docs|ui(?:\/.*)?)?$/;

/** A link to one of the daemon's own pages was followed. */
function isVisit(request: Request): boolean {
  const mode = request.headers.get("sec-fetch-mode");
  return (
    (request.method === "GET" || request.method === "HEAD") &&
    (mode === null || mode === "navigate") &&
    pages.test(pathOf(request))
  );
}

const maxShownCharacters = 200;

/** What a client has sent, as part of a message that is logged and pasted into a shell. */
function quoted(text: string): string {
  return text.replace(/[^\w.:/[\]-]/g, "?").slice(0, maxShownCharacters);
}

function denied(message: string): ProblemError {
  return new ProblemError("permission_denied", message);
}
