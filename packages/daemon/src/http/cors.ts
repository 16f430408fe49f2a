/** CORS: off unless origins are allowed. */
export interface CorsOptions {
  origins: string[];
  /** Empty = any. */
  methods: string[];
  /** Empty = any. */
  headers: string[];
  credentials: boolean;
}

export interface Cors {
  /** The response to a preflight request; null for other requests. */
  preflight(request: Request): Response | null;
  /** Adds the CORS headers to a response. */
  decorate(request: Request, response: Response): Response;
}

export function allowsOrigin({ origins }: Pick<CorsOptions, "origins">, origin: string): boolean {
  return origins.includes(origin) || origins.includes("*");
}

/** Browsers send a preflight before a cross-origin request. */
export function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("access-control-request-method");
}

const vary = "origin, access-control-request-method, access-control-request-headers";

export function createCors(options: CorsOptions): Cors {
  if (options.origins.length === 0) return { preflight: () => null, decorate: (_, response) => response };
  return {
    preflight(request) {
      if (!isPreflight(request)) return null;
      const headers = new Headers({ vary, ...originHeaders(request, options) });
      const { headers: asked } = request;
      headers.set("access-control-allow-methods", allowed(options.methods, asked.get("access-control-request-method")));
      headers.set(
        "access-control-allow-headers",
        allowed(options.headers, asked.get("access-control-request-headers")),
      );
      return new Response(null, { status: 200, headers });
    },
    decorate(request, response) {
      response.headers.set("vary", vary);
      for (const [name, value] of Object.entries(originHeaders(request, options))) response.headers.set(name, value);
      response.headers.set(
        "access-control-expose-headers",
        "x-message-id, last-event-id, sandbox-agent-log, etag, content-range",
      );
      return response;
    },
  };

  /** "Any" is `*`, which browsers reject together with credentials: then the request's own values are echoed. */
  function allowed(list: string[], asked: string | null): string {
    if (list.length > 0) return list.join(",");
    return options.credentials ? (asked ?? "") : "*";
  }
}

function originHeaders(request: Request, { origins, credentials }: CorsOptions): Record<string, string> {
  const origin = request.headers.get("origin");
  if (!origin || !allowsOrigin({ origins }, origin)) return {};
  return {
    "access-control-allow-origin": origin,
    ...(credentials && { "access-control-allow-credentials": "true" }),
  };
}
