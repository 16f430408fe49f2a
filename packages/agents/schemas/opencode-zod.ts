/** JSON Schema, as in OpenCode's OpenAPI document, to the source of zod schemas with their types. */

export interface JsonSchema {
  $ref?: string;
  type?: string;
  enum?: (string | boolean)[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

export type Definitions = Record<string, JsonSchema>;

const refPrefix = "#/components/schemas/";

/** The definitions that the roots need, without prose and limits, cut down to the members that are wanted. */
export function prune(all: Definitions, roots: readonly string[], members: Record<string, string[]>): Definitions {
  const kept = new Map<string, JsonSchema>();
  const pending = [...roots];
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    if (kept.has(name)) continue;
    const definition = all[name];
    if (!definition) throw new Error(`this version of OpenCode has no schema ${name}`);
    const pruned = pruneSchema(definition, members[name]);
    kept.set(name, pruned);
    pending.push(...references(pruned));
  }
  return Object.fromEntries([...kept].sort(([a], [b]) => a.localeCompare(b)));
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
        kept.sort(([a], [b]) => a.localeCompare(b)).map(([key, member]) => [key, pruneSchema(member)]),
      ),
      required: (schema.required ?? []).filter(isWanted).sort(),
    }),
    ...(typeof additionalProperties === "object" && { additionalProperties: pruneSchema(additionalProperties) }),
    ...(items && { items: pruneSchema(items) }),
    ...(anyOf && { anyOf: anyOf.map((variant) => pruneSchema(variant)) }),
  };
}

function references(schema: JsonSchema): string[] {
  const { additionalProperties } = schema;
  const inside = [
    ...Object.values(schema.properties ?? {}),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
    ...(schema.items ? [schema.items] : []),
    ...(schema.anyOf ?? []),
  ];
  return [...(schema.$ref ? [schema.$ref.slice(refPrefix.length)] : []), ...inside.flatMap(references)];
}

/** One module: a zod schema and its type for each definition, and the table of event schemas by event type. */
export function zodModule(definitions: Definitions, events: readonly string[], version: string): string {
  const written = new Set<string>();
  const lines: string[] = [];
  const write = (name: string) => {
    const definition = definitions[name];
    if (written.has(name) || !definition) return;
    written.add(name);
    references(definition).forEach(write);
    lines.push(`export const ${name} = ${zodOf(definition, definitions)};`);
    lines.push(`export type ${name} = z.infer<typeof ${name}>;\n`);
  };
  Object.keys(definitions).forEach(write);
  const table = events.map(
    (name) => `  ${JSON.stringify(tagOf({ $ref: refPrefix + name }, "type", definitions))}: ${name},`,
  );
  return [
    `// Generated from the API document of OpenCode ${version} by packages/agents/schemas/opencode.ts. Do not edit.`,
    `import * as z from "zod";\n`,
    ...lines,
    `export const eventSchemas = {\n${table.join("\n")}\n};`,
    `export type NativeEvent = ${events.join(" | ")};\n`,
  ].join("\n");
}

function zodOf(schema: JsonSchema, all: Definitions): string {
  if (schema.$ref) return schema.$ref.slice(refPrefix.length);
  if (schema.anyOf) return zodOfUnion(schema.anyOf, all);
  if (schema.enum?.length === 1) return `z.literal(${JSON.stringify(schema.enum[0])})`;
  switch (schema.type) {
    case "string":
      return zodOfString(schema);
    case "boolean":
      return "z.boolean()";
    case "integer":
    case "number":
      return "z.number()";
    case "array":
      return `z.array(${schema.items ? zodOf(schema.items, all) : "z.unknown()"})`;
    case "object":
      return zodOfObject(schema, all);
    default:
      return "z.unknown()";
  }
}

/** The values are known when we write, open when we read: a newer version may have more. */
function zodOfString({ enum: values }: JsonSchema): string {
  if (!values) return "z.string()";
  return `z.enum(${JSON.stringify(values)}).or(z.string())`;
}

function zodOfObject(schema: JsonSchema, all: Definitions): string {
  const { properties, required = [], additionalProperties } = schema;
  if (!properties || (Object.keys(properties).length === 0 && typeof additionalProperties === "object")) {
    const value = typeof additionalProperties === "object" ? zodOf(additionalProperties, all) : "z.unknown()";
    return `z.record(z.string(), ${value})`;
  }
  const entries = Object.entries(properties).map(([key, member]) => {
    // On the wire, what is not there is sometimes null.
    const optional = required.includes(key) ? "" : ".nullish()";
    return `${JSON.stringify(key)}: ${zodOf(member, all)}${optional}`;
  });
  return `z.object({ ${entries.join(", ")} })`;
}

/** A union whose variants are told apart by a name gets one more, "unknown", for names of newer versions. */
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
  const target = schema.$ref ? all[schema.$ref.slice(refPrefix.length)] : schema;
  const values = target?.properties?.[key]?.enum;
  return values?.length === 1 && typeof values[0] === "string" ? values[0] : null;
}
