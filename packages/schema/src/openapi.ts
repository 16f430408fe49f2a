/** The OpenAPI 3.1 document, derived from the operations and the schemas they name. */
import * as z from "zod";
import { allSchemas, type Lazy } from "./lazy.ts";
import { type Operation, operations } from "./operations.ts";
import { type ProblemKind, problemKinds } from "./problem.ts";
// Registers the Problem schema, which is referenced below.
import "./problem-document.ts";

type Json = Record<string, unknown>;

export interface OpenApiOptions {
  version: string;
  /** Describe objects as closed, so that tests detect fields missing from the schema. Clients must not rely on it. */
  closed?: boolean;
}

/** Problems that every operation can answer with. */
export const commonProblems: readonly ProblemKind[] = [
  "invalid_request",
  "token_invalid",
  "permission_denied",
  "too_many_requests",
  "internal_error",
  "storage_unavailable",
  "identity_provider_unavailable",
  "shutting_down",
];
/** Problems that every operation with a JSON body can answer with. */
export const bodyProblems: readonly ProblemKind[] = ["payload_too_large", "unsupported_media_type"];

export function openApiDocument({ version, closed = false }: OpenApiOptions): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "sandbox-agent",
      version,
      description: "One HTTP and SSE API for every coding agent.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    paths: pathsOf(Object.entries<Operation>(operations)),
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        basic: { type: "http", scheme: "basic", description: "The token as password" },
      },
      schemas: componentSchemas(closed),
    },
  };
}

function pathsOf(entries: [string, Operation][]): Json {
  const paths: Record<string, Json> = {};
  for (const [id, operation] of entries) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = operationObject(id, operation);
  }
  return paths;
}

function operationObject(operationId: string, operation: Operation): Json {
  const { summary, description, tag, scopes, body, bodyOptional, binary } = operation;
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description && { description }),
    security: scopes === null ? [] : [{ bearer: scopes }, { basic: scopes }],
    parameters: parametersOf(operation),
    ...(body && {
      requestBody: { required: !bodyOptional, content: { "application/json": { schema: reference(body) } } },
    }),
    ...(binary && { requestBody: { required: true, content: bytesOf(binary) } }),
    responses: responsesOf(operation),
  };
}

function parametersOf({ path, query, headers }: Operation): Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const inQuery = Object.entries(query?.().shape ?? {}).map(([name, schema]) => {
    const { description, ...rest } = inlineSchema(schema);
    return { name, in: "query", required: isRequired(schema), ...(description ? { description } : {}), schema: rest };
  });
  const inHeader = Object.entries(headers ?? {}).map(([name, description]) => ({
    name,
    in: "header",
    required: false,
    description,
    schema: { type: "string" },
  }));
  return [...inPath, ...inQuery, ...inHeader];
}

function isRequired(schema: unknown): boolean {
  return schema instanceof z.ZodType && !schema.safeParse(undefined).success;
}

function responsesOf(operation: Operation): Json {
  const kinds = [...commonProblems, ...(operation.body ? bodyProblems : []), ...(operation.problems ?? [])];
  const byStatus = Map.groupBy(kinds, (kind) => problemKinds[kind].status);
  const problems = [...byStatus].map(([status, kindsOfStatus]) => [
    status,
    {
      description: kindsOfStatus.map((kind) => `\`${kind}\``).join(", "),
      content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
    },
  ]);
  return {
    [operation.success.status]: successResponse(operation),
    ...partialResponses(operation),
    ...("accepted" in operation.success && { 202: { description: "Accepted; there is no response message" } }),
    ...Object.fromEntries(problems),
  };
}

function successResponse({ success }: Operation): Json {
  if ("socket" in success)
    return {
      description: "A WebSocket is open; its text frames are JSON",
      "x-websocket": { server: reference(success.socket.server), client: reference(success.socket.client) },
    };
  const content = {
    ...("json" in success && { "application/json": { schema: reference(success.json) } }),
    ...("text" in success && { [success.text]: { schema: { type: "string" } } }),
    ...("bytes" in success && bytesOf([success.bytes])),
    ...("events" in success && { "text/event-stream": eventStream(success.events, "ends" in success) }),
  };
  if (Object.keys(content).length === 0) return { description: "Done" };
  const isUniversal = "events" in success && success.events === true;
  return {
    description: isUniversal ? "Server-sent events; the data of each frame is a UniversalEvent" : "Success",
    content,
  };
}

function eventStream(data: true | Lazy, ends: boolean): Json {
  return {
    schema: { type: "string" },
    ...(data !== true && { "x-event-data": reference(data) }),
    ...(ends && { "x-stream-ends": true }),
  };
}

function partialResponses({ success }: Operation): Json {
  if (!("partial" in success)) return {};
  return {
    206: { description: "The requested range", content: bytesOf([success.bytes]) },
    304: { description: "Not changed" },
  };
}

function bytesOf(mediaTypes: readonly string[]): Json {
  return Object.fromEntries(mediaTypes.map((type) => [type, { schema: { type: "string", format: "binary" } }]));
}

function reference(get: Lazy): Json {
  const schema = get();
  const id = z.globalRegistry.get(schema)?.id;
  return id ? { $ref: `#/components/schemas/${id}` } : inlineSchema(schema);
}

function inlineSchema(schema: unknown): Json {
  if (!(schema instanceof z.ZodType)) return {};
  const described = z.globalRegistry.get(schema)?.description;
  const queryMeta = queryMetaOf(schema);
  if (queryMeta) return { ...queryMeta, ...(described && { description: described }) };
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: "input", override: replaceQuery });
  return { ...json, ...(described && { description: described }) };
}

function queryMetaOf(schema: z.ZodType): Json | null {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  const meta = z.globalRegistry.get(inner as z.ZodType)?.query;
  return meta ? (meta as Json) : null;
}

function replaceQuery({ jsonSchema }: { jsonSchema: Json }): void {
  delete jsonSchema.query;
}

function componentSchemas(closed: boolean): Json {
  const ids = allSchemas().flatMap((schema) => z.globalRegistry.get(schema)?.id ?? []);
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    io: closed ? "output" : "input",
    uri: (id) => `#/components/schemas/${id}`,
  });
  const entries = ids.map((id) => {
    const { $schema, $id, ...schema } = schemas[id] ?? {};
    return [id, schema];
  });
  return Object.fromEntries(entries);
}
