/** Writes the generated part of the SDK: API types, the operation table, and one method per operation. */
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import type { Argument, Method } from "./methods.ts";

const notice = "// Generated from the OpenAPI document by `npm run generate`. Do not edit.\n";

export async function apiTypes(document: unknown): Promise<string> {
  // openapi-typescript validates the document when it reads it.
  const nodes = await openapiTS(JSON.stringify(document) as unknown as OpenAPI3, {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
  });
  return notice + astToString(nodes);
}

export function operationTable(methods: readonly Method[]): string {
  const byId = new Map(methods.map((method) => [method.id, method]));
  const rows = [...byId.values()].map(({ id, verb, path, body, resumes, ends, keyed }) => {
    const fields = [
      `method: "${verb}"`,
      `path: "${path}"`,
      ...(body === null ? [] : [`body: "${body}"`]),
      ...(resumes ? ["resumes: true"] : []),
      ...(ends ? ["ends: true"] : []),
      ...(keyed ? ["keyed: true"] : []),
    ];
    return `  ${id}: { ${fields.join(", ")} },`;
  });
  return `${notice}import type { Operation, OperationId } from "../operation.ts";

export const operationTable: Record<OperationId, Operation> = {
${rows.join("\n")}
};
`;
}

export function methodsFile(methods: readonly Method[]): string {
  const signatures = methods.map((method) => `${comment(method)}\n  ${signature(method)};`);
  const implementations = methods.map((method) => `    ${method.name}: ${implementation(method)},`);
  const names = typeNames(signatures.join("\n"));
  return `${notice}import type { Caller, StreamOptions } from "../caller.ts";
import type { Answer, Body, Bytes, Query } from "../operation.ts";
import type { CallOptions } from "../transport.ts";
import type { ${names.join(", ")} } from "./api.ts";

/** One method for each operation of the API. */
export interface Methods {
${signatures.join("\n")}
}

export function createMethods(api: Caller): Methods {
  return {
${implementations.join("\n")}
  };
}
`;
}

function comment({ verb, path, summary, description }: Method): string {
  const lines = [`${summary}.`, ...(description ? [description] : []), `\`${verb} ${path}\``];
  return `  /**\n${lines.map((line) => `   * ${line.replaceAll("*/", "*\\/")}`).join("\n   *\n")}\n   */`;
}

/** The declaration, for example `getSession(sessionId: string, options?: CallOptions): Promise<SessionInfo>`. */
export function signature(method: Method): string {
  const parameters = method.arguments.map(({ name, type, optional }) => `${name}${optional ? "?" : ""}: ${type}`);
  return `${method.name}(${parameters.join(", ")}): ${returned(method)}`;
}

function returned({ kind, answer }: Method): string {
  if (kind === "events") return `AsyncGenerator<${answer}, void, undefined>`;
  return kind === "socket" ? answer : `Promise<${answer}>`;
}

const calls = {
  json: "json",
  text: "text",
  events: "events",
  bytes: "response",
  nothing: "nothing",
  socket: "socketUrl",
} as const;

function implementation({ id, path, kind, answer, arguments: all }: Method): string {
  const inPath = all.filter(({ place }) => place === "path");
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const fields = [
    ...(inPath.length > 0
      ? [
          `path: { ${inPath.map(({ name }, index) => (names[index] === name ? name : `${names[index]}: ${name}`)).join(", ")} }`,
        ]
      : []),
    ...all.flatMap(field),
  ];
  const types = kind === "events" ? `<"${id}", ${answer}>` : "";
  return `(${all.map(({ name }) => name).join(", ")}) => api.${calls[kind]}${types}("${id}", { ${fields.join(", ")} })`;
}

function field({ name, place }: Argument): string[] {
  if (place === "path") return [];
  if (place === "options") return ["...options"];
  return [place === name ? name : `${place}: ${name}`];
}

/** Names of API types in a text. */
function typeNames(text: string): string[] {
  const own = new Set([
    "Promise",
    "AsyncGenerator",
    "Query",
    "Answer",
    "Body",
    "Bytes",
    "CallOptions",
    "StreamOptions",
    "Response",
  ]);
  const used = [...text.replaceAll(/\/\*\*[\s\S]*?\*\//g, "").matchAll(/\b[A-Z]\w+/g)].map(([name]) => name);
  return [...new Set(used)].filter((name) => !own.has(name)).toSorted();
}
