/** JSON Schema (draft 7, as Codex writes it) to the source of zod schemas with their types. */
import { opaque, properties } from "./picks.ts";

export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  enum?: string[];
  properties?: Record<string, JsonSchema | boolean>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema | boolean;
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

export type Definitions = Record<string, JsonSchema>;

const refPrefix = "#/definitions/";

/** The definitions that the roots need, each cut down to what is used of it. */
export function prune(all: Definitions, roots: readonly string[]): Definitions {
  const kept: Definitions = {};
  const pending = [...roots];
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    if (kept[name]) continue;
    const definition = all[name];
    if (!definition) throw new Error(`this version of Codex has no type ${name}`);
    kept[name] = opaque.has(name) ? {} : pruneSchema(definition, name);
    pending.push(...references(kept[name]));
  }
  return Object.fromEntries(Object.entries(kept).sort(([a], [b]) => a.localeCompare(b)));
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

/** The value of `type` that tells this variant of a union from the others. */
function tagOf({ properties: members }: JsonSchema): string | null {
  const type = members?.type;
  const values = typeof type === "object" ? type.enum : undefined;
  return values?.length === 1 ? (values[0] ?? null) : null;
}

function references(schema: JsonSchema | boolean | undefined): string[] {
  if (typeof schema !== "object") return [];
  const inside = [
    ...Object.values(schema.properties ?? {}),
    schema.additionalProperties,
    schema.items,
    ...(schema.anyOf ?? []),
    ...(schema.allOf ?? []),
  ];
  return [...(schema.$ref ? [schema.$ref.slice(refPrefix.length)] : []), ...inside.flatMap(references)];
}

/** One module: a zod schema and its type for each definition, those that are referred to first. */
export function zodModule(definitions: Definitions, version: string): string {
  const written = new Set<string>();
  const lines: string[] = [];
  const write = (name: string) => {
    if (written.has(name)) return;
    written.add(name);
    references(definitions[name]).forEach(write);
    lines.push(`export const ${name} = ${zodOf(definitions[name] ?? {})};`);
    lines.push(`export type ${name} = z.infer<typeof ${name}>;\n`);
  };
  Object.keys(definitions).forEach(write);
  return `// Generated from the protocol of Codex ${version} by packages/agents/schemas/codex.ts. Do not edit.\nimport * as z from "zod";\n\n${lines.join("\n")}`;
}

function zodOf(schema: JsonSchema | boolean): string {
  if (typeof schema === "boolean") return "z.unknown()";
  if (schema.$ref) return schema.$ref.slice(refPrefix.length);
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
  switch (type) {
    case "string":
      return "z.string()";
    case "boolean":
      return "z.boolean()";
    case "integer":
    case "number":
      return "z.number()";
    case "array":
      return `z.array(${zodOf(schema.items ?? true)})`;
    default:
      return schema.properties
        ? zodOfObject(schema)
        : `z.record(z.string(), ${zodOf(schema.additionalProperties ?? true)})`;
  }
}

function zodOfObject({ properties: members = {}, required = [] }: JsonSchema): string {
  const entries = Object.entries(members).map(([key, member]) => {
    const optional = required.includes(key) ? "" : ".optional()";
    return `${JSON.stringify(key)}: ${zodOf(member)}${optional}`;
  });
  return `z.object({ ${entries.join(", ")} })`;
}
