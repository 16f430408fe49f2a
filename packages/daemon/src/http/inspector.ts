/** Serves the inspector. Paths without a dot get the app's page, paths with a dot are assets. */
import { ProblemError } from "@sandbox-agent/schema";
import { type Assets, readAssets } from "./inspector-assets.ts";
import { pageHeaders } from "./page-headers.ts";
import { pathOf } from "./request-url.ts";

/** Loads nothing from other origins. It connects to daemons anywhere; editors and terminals need inline styles. */
const policy = {
  "default-src": "'self'",
  "style-src": "'self' 'unsafe-inline'",
  "img-src": "'self' data: blob:",
  "worker-src": "'self' blob:",
  "connect-src": "*",
};

let assets: Assets | null = null;
const zipped = new Map<string, Uint8Array<ArrayBuffer>>();

export function inspectorPage(request: Request): Response {
  const pathname = pathOf(request);
  assets ??= readAssets();
  const name = pathname.includes(".") ? pathname.slice("/ui/".length) : "index.html";
  const body = assets?.get(name);
  if (body) return assetResponse(name, body, request);
  if (name !== "index.html") throw new ProblemError("not_found", `there is no asset ${pathname}`);
  return notBuilt();
}

function assetResponse(name: string, body: Uint8Array<ArrayBuffer>, request: Request): Response {
  const headers = headersOf(name);
  if (!/\.(html|js|css|svg)$/.test(name) || !request.headers.get("accept-encoding")?.includes("gzip"))
    return new Response(body, { headers });
  const small = zipped.get(name) ?? Bun.gzipSync(body);
  zipped.set(name, small);
  return new Response(small, { headers: { ...headers, "content-encoding": "gzip" } });
}

function headersOf(name: string): Record<string, string> {
  return {
    "content-type": Bun.file(name).type,
    // Asset names contain a hash of the content, so they are cached for ever; the page that names them is not.
    "cache-control": name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache",
    vary: "accept-encoding",
    ...(name === "index.html" && pageHeaders(policy)),
  };
}

function notBuilt(): Response {
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>sandbox-agent</title>
<p>The daemon is running, but the inspector is not built. Run <code>npm run build</code> where it is checked out and
load this page again. The API is there: see the <a href="/docs">reference</a>.</p>
</html>
`;
  return new Response(page, { headers: { "content-type": "text/html; charset=utf-8", ...pageHeaders() } });
}
