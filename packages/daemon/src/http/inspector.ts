/** The inspector's place. Until it is built, a page that shows the way to the API. */
import { ProblemError } from "@sandbox-agent/schema";
import { version } from "../version.ts";
import { pathOf } from "./request-url.ts";

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>sandbox-agent</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 16px/1.6 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem; }
  code, pre { font: 14px/1.5 ui-monospace, monospace; }
  pre { padding: 1rem; overflow-x: auto; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 8px; }
</style>
<h1>sandbox-agent ${version}</h1>
<p>The daemon is running. The inspector will live on this page; until then the API is yours:</p>
<pre>curl -X POST <b class="origin"></b>/v1/sessions/first \\
  -H 'content-type: application/json' -d '{"agent":"mock"}'
curl -N -X POST <b class="origin"></b>/v1/sessions/first/messages/stream \\
  -H 'content-type: application/json' -d '{"message":"demo"}'</pre>
<p>See the <a href="/docs">API reference</a>.</p>
<script>for (const place of document.querySelectorAll(".origin")) place.textContent = location.origin;</script>
</html>
`;

/** Paths without a dot are pages of the app; paths with one would be assets. */
export function inspectorPage(request: Request): Response {
  const pathname = pathOf(request);
  if (pathname.includes(".")) throw new ProblemError("not_found", `there is no asset ${pathname}`);
  return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } });
}
