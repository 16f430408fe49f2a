/** The API reference as a web page, generated from the operations, without external assets. */
import { eventData, type Lazy, type Operation, openApiDocument, operations, problemKinds } from "@sandbox-agent/schema";
import { version } from "../version.ts";
import { pageHeaders, styleHash } from "./page-headers.ts";

type Json = Record<string, unknown>;

let page: string | null = null;

export function docsPage(): Response {
  page ??= render();
  const headers = pageHeaders({ "style-src": styleHash(style), "img-src": "data:" });
  return new Response(page, { headers: { "content-type": "text/html; charset=utf-8", ...headers } });
}

function render(): string {
  const entries = Object.entries<Operation>(operations);
  const byTag = [...Map.groupBy(entries, ([, operation]) => operation.tag)];
  const navigation = byTag.map(([tag, group]) => `<h3>${tag}</h3>${group.map(navigationLink).join("")}`).join("");
  const sections = byTag.map(([tag, group]) => `<h2>${tag}</h2>${group.map(operationSection).join("")}`).join("");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>sandbox-agent API ${version}</title>
<style>${style}</style>
<nav><h1>sandbox-agent</h1><p>API ${version}</p>${navigation}<h3>types</h3><a href="#events">Events</a><a href="#problems">Problems</a><a href="#schemas">Schemas</a></nav>
<main>
<p>Requests and responses are JSON unless stated otherwise. If the daemon has a token, send <code>Authorization: Bearer &lt;token&gt;</code>.
Every failed request is answered with a <a href="#problems">problem</a> (RFC 7807). Event streams are server-sent events; the data of each is a
<a href="#events">universal event</a>. This reference is also available as an OpenAPI document: <a href="/v1/openapi.json">/v1/openapi.json</a>.</p>
${sections}
<h2 id="events">Events</h2>
<p>All events share the fields of <a href="#schema-UniversalEvent">UniversalEvent</a>; <code>data</code> depends on the type.</p>
<table><tr><th>type</th><th>data</th></tr>${Object.keys(eventData).map(eventRow).join("")}</table>
<h2 id="problems">Problems</h2>
<table><tr><th>kind</th><th>status</th><th>title</th></tr>${Object.entries(problemKinds).map(problemRow).join("")}</table>
<h2 id="schemas">Schemas</h2>
${schemaSections()}
</main>
</html>
`;
}

const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); }
body { font: 15px/1.55 system-ui, sans-serif; margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1rem; border-right: 1px solid var(--line); box-sizing: border-box; }
nav a { display: block; color: inherit; text-decoration: none; padding: .1rem 0; } nav a:hover { text-decoration: underline; }
nav h1 { font-size: 1.1rem; margin: 0; } nav h3, h2 { text-transform: capitalize; } nav h3 { margin: 1rem 0 .2rem; font-size: .9rem; opacity: .7; }
main { padding: 1.5rem 2rem; max-width: 60rem; } section { border-top: 1px solid var(--line); padding: .5rem 0 1rem; }
code, pre { font: 13px/1.5 ui-monospace, monospace; } pre { border: 1px solid var(--line); border-radius: 6px; padding: .8rem; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
.method { display: inline-block; min-width: 5.5rem; font-weight: 600; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; } }`;

function navigationLink([id, { summary }]: [string, Operation]): string {
  return `<a href="#${id}" title="${escapeHtml(summary)}">${id}</a>`;
}

function operationSection([id, operation]: [string, Operation]): string {
  const { method, path, summary, description, query, headers, body, binary, problems = [] } = operation;
  const parameters = [
    ...Object.entries(query?.().shape ?? {}).map(([name, schema]) => [name, "query", descriptionOf(schema)]),
    ...Object.entries(headers ?? {}).map(([name, text]) => [name, "header", text]),
  ];
  return `<section id="${id}">
<h3><span class="method">${method}</span><code>${escapeHtml(path)}</code></h3>
<p>${toHtml(summary)}. ${description ? toHtml(description) : ""}${scopesOf(operation)}</p>
${parameters.length > 0 ? `<table>${parameters.map(([name = "", location, about = ""]) => `<tr><td><code>${name}</code></td><td>${location}</td><td>${toHtml(about)}</td></tr>`).join("")}</table>` : ""}
${body ? `<p>Body: ${schemaLink(body)}</p>` : ""}
${binary ? `<p>Body: bytes, ${binary.map((type) => `<code>${type}</code>`).join(", ")}</p>` : ""}
<p>Answer: ${answerOf(operation)}</p>
${problems.length > 0 ? `<p>Problems: ${problems.map((kind) => `<code>${kind}</code>`).join(", ")}</p>` : ""}
</section>`;
}

function scopesOf({ scopes }: Operation): string {
  if (scopes === null) return " <em>No token needed.</em>";
  return scopes.length === 0 ? "" : ` Scope: ${scopes.map((scope) => `<code>${scope}</code>`).join(", ")}.`;
}

function answerOf({ success }: Operation): string {
  if ("socket" in success)
    return `101, a WebSocket: the daemon sends ${schemaLink(success.socket.server)}, the client sends ${schemaLink(success.socket.client)}`;
  const kinds = [
    ...("json" in success ? [schemaLink(success.json)] : []),
    ...("text" in success ? [`<code>${success.text}</code>`] : []),
    ...("bytes" in success ? [`<code>${success.bytes}</code>`] : []),
    ...("events" in success ? [`<code>text/event-stream</code> of ${eventLink(success.events)}`] : []),
  ];
  return kinds.length === 0 ? "204" : `200 ${kinds.join(" or ")}`;
}

function eventLink(data: true | Lazy): string {
  return data === true ? '<a href="#schema-UniversalEvent">UniversalEvent</a>' : schemaLink(data);
}

function schemaLink(get: Lazy): string {
  const id = get().meta()?.id;
  return typeof id === "string" ? `<a href="#schema-${id}">${id}</a>` : "<code>object</code>";
}

function descriptionOf(schema: unknown): string {
  const { description } = schema as { description?: string };
  return description ?? "";
}

function eventRow(type: string): string {
  const data = eventData[type as keyof typeof eventData];
  return `<tr><td><code>${type}</code></td><td>${schemaLink(data)}</td></tr>`;
}

function problemRow([kind, { status, title }]: [string, { status: number; title: string }]): string {
  return `<tr><td><code>${kind}</code></td><td>${status}</td><td>${title}</td></tr>`;
}

function schemaSections(): string {
  const { components } = openApiDocument({ version }) as { components: { schemas: Json } };
  return Object.entries(components.schemas)
    .map(([id, schema]) => {
      const json = escapeHtml(JSON.stringify(schema, null, 2)).replace(
        /#\/components\/schemas\/(\w+)/g,
        '<a href="#schema-$1">$1</a>',
      );
      return `<details id="schema-${id}"><summary>${id}</summary><pre>${json}</pre></details>`;
    })
    .join("");
}

/** Escapes the text and converts `code` in it. */
function toHtml(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
