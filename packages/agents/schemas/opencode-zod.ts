/** JSON Schema, as in OpenCode's OpenAPI document, to the source of zod schemas with their types. */
import { type Definitions, type JsonSchema, moduleOf, nameIn, plainTypes, prune, zodOfObject } from "./json-schema.ts";
import { bodies, events, members, schemas } from "./opencode-picks.ts";

/** The schemas that the adapter needs, without descriptions and limits, reduced to the picked members. */
export function definitionsFrom(all: Definitions): Definitions {
  const roots = [...events, ...Object.keys(bodies), ...schemas];
  return prune(all, roots, (definition, name) => pruneSchema(definition, members[name]));
}

function pruneSchema(schema: JsonSchema, wanted?: string[]): JsonSchema {
  const { $ref, type, enum: values, additionalProperties, items, anyOf } = schema;
  const isWanted = (key: string) => !wanted || wanted.includes(key);
  const kept = Object.entries(schema.properties ?? {}).filter(([key]) => isWanted(key));
  return {
    ...($ref && { $ref }),
    ...(type && { type }),
    ...(values && { enum: values }),
    ...(schema.properties && {
      properties: Object.fromEntries(
        kept.sort(([a], [b]) => a.localeCompare(b)).map(([key, member]) => [key, pruneMember(member)]),
      ),
      required: (schema.required ?? []).filter(isWanted).sort(),
    }),
    ...(typeof additionalProperties === "object" && { additionalProperties: pruneSchema(additionalProperties) }),
    ...(items && { items: pruneMember(items) }),
    ...(anyOf && { anyOf: anyOf.map((variant) => pruneSchema(variant)) }),
  };
}

function pruneMember(schema: JsonSchema | boolean): JsonSchema | boolean {
  return typeof schema === "boolean" ? schema : pruneSchema(schema);
}

/** With the table of event schemas by event type. */
export function zodModule(definitions: Definitions, version: string): string {
  const origin = `the API document of OpenCode ${version} by packages/agents/schemas/opencode.ts`;
  const table = events.map((name) => `  ${JSON.stringify(tagOf({ $ref: name }, "type", definitions))}: ${name},`);
  return [
    moduleOf(origin, definitions, (schema) => zodOf(schema, definitions)),
    `export const eventSchemas = {\n${table.join("\n")}\n};`,
    `export type NativeEvent = ${events.join(" | ")};\n`,
  ].join("\n");
}

function zodOf(schema: JsonSchema | boolean | undefined, all: Definitions): string {
  if (typeof schema !== "object") return "z.unknown()";
  const { type, enum: values } = schema;
  if (schema.$ref) return nameIn(schema.$ref);
  if (schema.anyOf) return zodOfUnion(schema.anyOf, all);
  if (values?.length === 1) return `z.literal(${JSON.stringify(values[0])})`;
  // Enums are closed when we write and open when we read, because a newer version may have more values.
  if (values) return `z.enum(${JSON.stringify(values)}).or(z.string())`;
  if (type === "array") return `z.array(${zodOf(schema.items, all)})`;
  return type === "object" ? zodOfMembers(schema, all) : (plainTypes[String(type)] ?? "z.unknown()");
}

/** Missing values are sometimes null on the wire. */
function zodOfMembers({ properties, required, additionalProperties }: JsonSchema, all: Definitions): string {
  if (!properties || (Object.keys(properties).length === 0 && typeof additionalProperties === "object"))
    return `z.record(z.string(), ${zodOf(additionalProperties, all)})`;
  return zodOfObject(properties, required, ".nullish()", (member) => zodOf(member, all));
}

/** A discriminated union gets one more variant, "unknown", for variants of newer versions. */
function zodOfUnion(variants: readonly JsonSchema[], all: Definitions): string {
  const sources = variants.map((variant) => zodOf(variant, all));
  const isTag = (key: string) => variants.every((variant) => tagOf(variant, key, all) !== null);
  if (isTag("role")) return `z.discriminatedUnion("role", [${sources.join(", ")}])`;
  const tag = ["type", "name", "status"].find(isTag);
  if (!tag) return `z.union([${sources.join(", ")}])`;
  const known = JSON.stringify(variants.map((variant) => tagOf(variant, tag, all)));
  const unknown = [
    `z.looseObject({ ${tag}: z.string() })`,
    `.refine((value) => !${known}.includes(value.${tag}))`,
    `.transform((native) => ({ ${tag}: "unknown" as const, native }))`,
  ].join("");
  const variant = `z.discriminatedUnion("${tag}", [\n    ${sources.join(",\n    ")},\n  ])`;
  return `z.union([\n  ${variant},\n  ${unknown},\n])`;
}

/** The one value a member always has, or null. */
function tagOf(schema: JsonSchema, key: string, all: Definitions): string | null {
  const target = schema.$ref ? all[nameIn(schema.$ref)] : schema;
  const member = target?.properties?.[key];
  const values = typeof member === "object" ? member.enum : undefined;
  return values?.length === 1 && typeof values[0] === "string" ? values[0] : null;
}
