/** JSON Schema (draft 7, as Codex writes it) to the source of zod schemas with their types. */
import { type Definitions, type JsonSchema, moduleOf, nameIn, plainTypes, prune, zodOfObject } from "../json-schema.ts";
import { opaque, properties, roots } from "./picks.ts";

/** The types that the adapter needs, each cut down to what is used of it. */
export function definitionsFrom(all: Definitions): Definitions {
  return prune(all, roots, (definition, name) => (opaque.has(name) ? {} : pruneSchema(definition, name)));
}

function pruneSchema(schema: JsonSchema, name: string): JsonSchema {
  const { $ref, type, enum: values, additionalProperties, items, allOf } = schema;
  const variants = schema.oneOf ?? schema.anyOf ?? [];
  const isUnion = variants.length > 0 && (!schema.properties || variants.every((variant) => tagOf(variant) !== null));
  if (isUnion) return { anyOf: variants.map((variant) => pruneSchema(variant, name)) };
  return {
    ...($ref && { $ref }),
    ...(type && { type }),
    ...(values && { enum: values }),
    ...(schema.properties && pruneObject(schema, variants, name)),
    ...(additionalProperties && { additionalProperties: pruneMember(additionalProperties) }),
    ...(items !== undefined && { items: pruneMember(items) }),
    ...(allOf && { allOf: allOf.map((part) => pruneSchema(part, "")) }),
  };
}

/** An object that is also a choice of further members gets them all, as optional ones. */
function pruneObject(schema: JsonSchema, variants: readonly JsonSchema[], name: string): JsonSchema {
  const members = new Map([...variants, schema].flatMap((part) => Object.entries(part.properties ?? {})));
  const tag = tagOf(schema);
  const wanted =
    properties[name] ?? properties[`${name}.${tag}`] ?? (tag === null ? undefined : properties[`${name}.*`]);
  const isWanted = (key: string) => !wanted || wanted.includes(key) || (tag !== null && key === "type");
  const kept = [...members].filter(([key]) => isWanted(key)).sort(([a], [b]) => a.localeCompare(b));
  return {
    properties: Object.fromEntries(kept.map(([key, member]) => [key, pruneMember(member)])),
    required: (schema.required ?? []).filter(isWanted).sort(),
  };
}

function pruneMember(schema: JsonSchema | boolean): JsonSchema | boolean {
  return typeof schema === "boolean" ? schema : pruneSchema(schema, "");
}

/** The value of `type` that identifies this variant of a union. */
function tagOf({ properties: members }: JsonSchema): string | null {
  const type = members?.type;
  const values = typeof type === "object" ? type.enum : undefined;
  return values?.length === 1 && typeof values[0] === "string" ? values[0] : null;
}

export function zodModule(definitions: Definitions, version: string): string {
  return moduleOf(`the protocol of Codex ${version} by packages/agents/schemas/codex.ts`, definitions, zodOf);
}

function zodOf(schema: JsonSchema | boolean): string {
  if (typeof schema === "boolean") return "z.unknown()";
  if (schema.$ref) return nameIn(schema.$ref);
  if (schema.allOf?.[0]) return zodOf(schema.allOf[0]);
  if (schema.anyOf) return zodOfUnion(schema.anyOf);
  if (schema.enum)
    return schema.enum.length === 1
      ? `z.literal(${JSON.stringify(schema.enum[0])})`
      : `z.enum(${JSON.stringify(schema.enum)})`;
  const types = [schema.type ?? []].flat();
  const plain = types.filter((type) => type !== "null").map((type) => zodOfType(type, schema));
  if (plain.length === 0) return "z.unknown()";
  const [only = "z.unknown()"] = plain;
  const base = plain.length === 1 ? only : `z.union([${plain.join(", ")}])`;
  return types.includes("null") ? `${base}.nullable()` : base;
}

function zodOfUnion(variants: readonly JsonSchema[]): string {
  const real = variants.filter(({ type }) => type !== "null");
  const [only] = real;
  const nullable = real.length < variants.length ? ".nullable()" : "";
  if (only && real.length === 1) return zodOf(only) + nullable;
  const members = real.map(zodOf).join(",\n  ");
  const isTagged = real.every((variant) => tagOf(variant) !== null);
  return `${isTagged ? `z.discriminatedUnion("type", [` : "z.union(["}\n  ${members},\n])${nullable}`;
}

function zodOfType(type: string, schema: JsonSchema): string {
  const { properties: members, required, items = true, additionalProperties = true } = schema;
  if (type === "array") return `z.array(${zodOf(items)})`;
  if (plainTypes[type]) return plainTypes[type];
  if (members) return zodOfObject(members, required, ".optional()", zodOf);
  return `z.record(z.string(), ${zodOf(additionalProperties)})`;
}
