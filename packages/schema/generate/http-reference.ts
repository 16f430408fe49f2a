/** The HTTP reference, `docs/reference/http.md`: a section per tag, in it one per operation, then all named schemas. */
import * as z from "zod";
import { bodyProblems, commonProblems, openApiDocument } from "../src/openapi.ts";
import { type Operation, operations, type Success } from "../src/operations.ts";
import { type ProblemKind, problemKinds } from "../src/problem.ts";
import { schemaSection } from "./schema-section.ts";
import { JsonSchema, named, oneLine, typeOf } from "./schema-type.ts";

const Parameter = z.looseObject({
  name: z.string(),
  in: z.enum(["path", "query", "header"]),
  required: z.boolean(),
  description: z.string().optional(),
  schema: JsonSchema,
});
const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ parameters: z.array(Parameter) }))),
  components: z.looseObject({ schemas: z.record(z.string(), JsonSchema) }),
});

/** What each group of operations is about, with the page that explains it. */
const groups: Record<Operation["tag"], string> = {
  meta: "The server itself.",
  agents: "The agents a session can use. Guide: [Agents](../agents.md).",
  sessions: "Create, list, change and end sessions. Guide: [HTTP API](../http-api.md#sessions-and-messages).",
  messages: "Send messages and abort turns. Guide: [HTTP API](../http-api.md#sessions-and-messages).",
  events: "Read and stream events. Guide: [HTTP API](../http-api.md#events).",
  requests: "Answer permissions and questions. Guide: [HTTP API](../http-api.md#permissions-and-questions).",
  changes: "Diffs and checkpoints of a session's directory. Guide: [Files](../files.md#changes-and-checkpoints).",
  files: "Read and write files. Guide: [Files](../files.md).",
  processes: "Start, watch and stop processes. Guide: [Processes and terminals](../processes.md).",
  terminals: "Watch and use terminals. Guide: [Processes and terminals](../processes.md#terminals).",
  config: "MCP servers and skills for a directory. Guide: [MCP servers and skills](../mcp-and-skills.md).",
  acp: "The Agent Client Protocol over HTTP. Guide: [ACP](../acp.md).",
  access: "Tokens and the audit log. Guide: [Security](../security.md).",
};

export function httpReference(): string {
  const { paths, components } = Document.parse(openApiDocument({ version: "" }));
  const byTag = [...Map.groupBy(Object.entries<Operation>(operations), ([, { tag }]) => tag)];
  const sections = byTag.map(([tag, entries]) =>
    [
      `## ${tag}`,
      groups[tag],
      ...entries.map(([id, operation]) => {
        const parameters = paths[operation.path]?.[operation.method.toLowerCase()]?.parameters ?? [];
        return section(id, operation, parameters);
      }),
    ].join("\n\n"),
  );
  const schemas = Object.entries(components.schemas).map(([name, schema]) => schemaSection(name, schema));
  return `${[head(byTag), ...sections, "## Schemas", ...schemas].join("\n\n")}\n`;
}

function head(byTag: [Operation["tag"], [string, Operation][]][]): string {
  const rows = byTag.map(([tag, entries]) => `| [${tag}](#${tag}) | ${entries.map(([id]) => named(id)).join(" · ")} |`);
  return `# HTTP reference

<!-- Generated from packages/schema/src/operations.ts by \`npm run generate\`. Do not edit. -->

Every operation of the daemon. The same as an OpenAPI 3.1 document: \`GET /v1/openapi.json\`, or as a page to read: \`GET /docs\`.
For an introduction, read [HTTP API](../http-api.md).

- **Scopes** are what a token needs to be allowed; see [Security](../security.md#tokens-with-a-scope). The daemon's own token has all of them.
- **Problems** are the kinds of failure that the operation can answer with, besides ${kindList(commonProblems)} (any operation)
  and ${kindList(bodyProblems)} (any operation with a JSON body). Every failure is a [Problem](#problem).
- In the tables, \`?\` after a name means that it is optional.

| group | operations |
|---|---|
${rows.join("\n")}`;
}

function section(id: string, operation: Operation, parameters: z.infer<typeof Parameter>[]): string {
  const { method, path, summary, description, problems } = operation;
  const facts = [
    `- **Scopes:** ${scopesOf(operation)}`,
    ...bodyOf(operation),
    `- **Answer:** ${answerOf(operation.success)}`,
    ...(problems ? [`- **Problems:** ${kindList(problems)}`] : []),
  ];
  const rows = parameters.map(
    ({ name, in: place, required, description: about = "", schema }) =>
      `| \`${name}\`${required ? "" : "?"} | ${place} | ${typeOf(schema)} | ${oneLine(about)} |`,
  );
  return [
    `### ${id}`,
    `\`${method} ${path}\`<br>${oneLine(summary)}.${description ? ` ${oneLine(description)}` : ""}`,
    facts.join("\n"),
    ...(rows.length > 0 ? [["| parameter | in | type | |", "|---|---|---|---|", ...rows].join("\n")] : []),
  ].join("\n\n");
}

function scopesOf({ scopes, path, forSomeSessions }: Operation): string {
  if (scopes === null) return "none; no token needed";
  const needed = scopes.length === 0 ? "any token" : scopes.map((scope) => `\`${scope}\``).join(", ");
  const limited = forSomeSessions || scopes.length === 0 || path.includes("{session_id}");
  return limited ? needed : `${needed}; not for tokens that are limited to sessions`;
}

function bodyOf({ body, bodyOptional, binary }: Operation): string[] {
  if (binary) return [`- **Body:** bytes, ${binary.map((type) => `\`${type}\``).join(" or ")}`];
  return body ? [`- **Body:** ${reference(body())}${bodyOptional ? ", optional" : ""}`] : [];
}

function answerOf(success: Success): string {
  if ("socket" in success) {
    const { server, client } = success.socket;
    return `101, a WebSocket. The server sends ${reference(server())}, the client ${reference(client())}`;
  }
  const parts = [
    ...("json" in success ? [reference(success.json())] : []),
    ...("text" in success ? [`\`${success.text}\``] : []),
    ...("bytes" in success ? [`bytes, \`${success.bytes}\``] : []),
    ...("events" in success
      ? [
          `a stream of server-sent events, ${success.events === true ? named("UniversalEvent") : reference(success.events())}`,
        ]
      : []),
  ];
  if (parts.length === 0) return `${success.status}, no body`;
  const also =
    "partial" in success
      ? "; 206 for a range, 304 if it has not changed"
      : "accepted" in success
        ? "; or 202, no body"
        : "";
  return `${success.status}, ${parts.join(" or ")}${also}`;
}

function reference(schema: z.ZodType): string {
  const id = z.globalRegistry.get(schema)?.id;
  return id ? named(id) : typeOf(JsonSchema.parse(z.toJSONSchema(schema, { io: "input" })));
}

function kindList(kinds: readonly ProblemKind[]): string {
  return kinds.map((kind) => `\`${kind}\` (${problemKinds[kind].status})`).join(", ");
}
