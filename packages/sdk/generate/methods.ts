/** Reads the OpenAPI document as a list of methods with their arguments and results. */
import { openApiDocument } from "@sandbox-agent/schema";
import * as z from "zod";

const Reference = z.looseObject({ $ref: z.string().optional() });
const Media = z.looseObject({
  "x-event-data": Reference.optional(),
  "x-stream-ends": z.literal(true).optional(),
  schema: Reference.optional(),
});
const Content = z.record(z.string(), Media);

const OperationObject = z.looseObject({
  operationId: z.string(),
  tags: z.tuple([z.string()]),
  summary: z.string(),
  description: z.string().optional(),
  parameters: z
    .array(
      z.object({ name: z.string(), in: z.string(), required: z.boolean(), description: z.string().optional() }).loose(),
    )
    .default([]),
  requestBody: z.object({ required: z.boolean(), content: Content }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: Content.optional() })),
});

const Document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), OperationObject)) });

export type Kind = "json" | "text" | "events" | "bytes" | "nothing" | "socket";

export interface Argument {
  /** The name in TypeScript. */
  name: string;
  place: "path" | "query" | "body" | "options";
  type: string;
  optional: boolean;
}

export interface Method {
  name: string;
  id: string;
  tag: string;
  verb: string;
  path: string;
  summary: string;
  description: string;
  parameters: { name: string; place: string; description: string }[];
  arguments: Argument[];
  body: string | null;
  kind: Kind;
  /** The result type, without the promise. */
  answer: string;
  resumes: boolean;
  ends: boolean;
  keyed: boolean;
}

export function apiDocument(version: string) {
  return openApiDocument({ version });
}

export function methodsOf(document: unknown): Method[] {
  const { paths } = Document.parse(document);
  return Object.entries(paths).flatMap(([path, byVerb]) =>
    Object.entries(byVerb).flatMap(([verb, operation]) => methodsOfOperation(path, verb.toUpperCase(), operation)),
  );
}

/** One method, or two for an operation that returns JSON or a stream, depending on its query. */
function methodsOfOperation(path: string, verb: string, operation: z.infer<typeof OperationObject>): Method[] {
  const { operationId: id, parameters, requestBody, responses } = operation;
  const success = responses["200"]?.content ?? {};
  const body = requestBody ? (Object.keys(requestBody.content)[0] ?? null) : null;
  const headers = parameters.filter((parameter) => parameter.in === "header").map(({ name }) => name);
  const kinds: Kind[] = "101" in responses ? ["socket"] : kindsOf(Object.keys(success));
  return kinds.map((kind) => ({
    name: kinds.length > 1 && kind === "events" ? `${id}Stream` : id,
    id,
    tag: operation.tags[0],
    verb,
    path,
    summary: operation.summary,
    description: operation.description ?? "",
    parameters: parameters.map(({ name, in: place, description = "" }) => ({ name, place, description })),
    arguments: argumentsOf(path, operation, kind),
    body,
    kind,
    answer: answerOf(id, kind, success),
    resumes: kinds.includes("events") && headers.includes("Last-Event-ID"),
    ends: success["text/event-stream"]?.["x-stream-ends"] === true,
    keyed: headers.includes("Idempotency-Key"),
  }));
}

function kindsOf(contentTypes: string[]): Kind[] {
  if (contentTypes.length === 0) return ["nothing"];
  return contentTypes.map((type) => {
    if (type === "application/json") return "json";
    if (type === "text/event-stream") return "events";
    return type.startsWith("text/") ? "text" : "bytes";
  });
}

/** Required arguments come first: path, required query, body, optional query, options. */
function argumentsOf(path: string, operation: z.infer<typeof OperationObject>, kind: Kind): Argument[] {
  const { operationId: id, parameters, requestBody } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  const queryRequired = inQuery.some(({ required }) => required);
  const query: Argument[] =
    inQuery.length > 0 ? [{ name: "query", place: "query", type: `Query<"${id}">`, optional: !queryRequired }] : [];
  const body: Argument[] = requestBody
    ? [
        {
          name: bodyName(requestBody.content),
          place: "body",
          type: bodyType(id, requestBody.content),
          optional: !requestBody.required,
        },
      ]
    : [];
  const optionsType = kind === "events" ? "StreamOptions" : "CallOptions";
  return [
    ...inPath.map((name): Argument => ({ name: camelCase(name), place: "path", type: "string", optional: false })),
    ...(queryRequired ? query : []),
    ...body,
    ...(queryRequired ? [] : query),
    ...(kind === "socket" ? [] : [{ name: "options", place: "options", type: optionsType, optional: true } as const]),
  ];
}

function bodyName(content: z.infer<typeof Content>): string {
  return "application/json" in content ? "request" : "bytes";
}

function bodyType(id: string, content: z.infer<typeof Content>): string {
  if (!("application/json" in content)) return "Bytes";
  return schemaName(content["application/json"]?.schema) ?? `Body<"${id}">`;
}

function answerOf(id: string, kind: Kind, content: z.infer<typeof Content>): string {
  switch (kind) {
    case "json":
      return schemaName(content["application/json"]?.schema) ?? `Answer<"${id}">`;
    case "events":
      return schemaName(content["text/event-stream"]?.["x-event-data"]) ?? "UniversalEvent";
    case "text":
    case "socket":
      return "string";
    case "bytes":
      return "Response";
    case "nothing":
      return "void";
  }
}

function schemaName(schema: z.infer<typeof Reference> | undefined): string | null {
  return schema?.$ref?.replace("#/components/schemas/", "") ?? null;
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
