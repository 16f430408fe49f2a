/** JSON Schema as the agents publish it, and what all of them share on the way from it to the source of zod schemas. */

export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  enum?: (string | boolean)[];
  properties?: Record<string, JsonSchema | boolean>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema | boolean;
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

export type Definitions = Record<string, JsonSchema>;

/** The definitions that the roots need, each cut down to what is used of it, by name. */
export function prune(
  all: Definitions,
  roots: readonly string[],
  cut: (definition: JsonSchema, name: string) => JsonSchema,
): Definitions {
  const kept: Definitions = {};
  const pending = [...roots];
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    if (kept[name]) continue;
    const definition = all[name];
    if (!definition) throw new Error(`this version of the agent has no type ${name}`);
    kept[name] = cut(definition, name);
    pending.push(...references(kept[name]));
  }
  return Object.fromEntries(Object.entries(kept).sort(([a], [b]) => a.localeCompare(b)));
}

/** The name of the definition that a reference leads to. */
export function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
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
  return [...(schema.$ref ? [nameIn(schema.$ref)] : []), ...inside.flatMap(references)];
}

/** One module: a zod schema and its type for each definition, those that are referred to first. */
export function moduleOf<Schema extends JsonSchema>(
  origin: string,
  definitions: Record<string, Schema>,
  zodOf: (schema: Schema) => string,
): string {
  const written = new Set<string>();
  const lines = [`// Generated from ${origin}. Do not edit.`, `import * as z from "zod";\n`];
  const write = (name: string) => {
    const definition = definitions[name];
    if (written.has(name) || !definition) return;
    written.add(name);
    references(definition).forEach(write);
    lines.push(`export const ${name} = ${zodOf(definition)};`);
    lines.push(`export type ${name} = z.infer<typeof ${name}>;\n`);
  };
  Object.keys(definitions).forEach(write);
  return lines.join("\n");
}

/** `optional` follows the members that are not required. */
export function zodOfObject<Member>(
  properties: Record<string, Member>,
  required: readonly string[] = [],
  optional: ".optional()" | ".nullish()",
  zodOf: (member: Member) => string,
): string {
  const entries = Object.entries(properties).map(
    ([key, member]) => `${JSON.stringify(key)}: ${zodOf(member)}${required.includes(key) ? "" : optional}`,
  );
  return `z.object({ ${entries.join(", ")} })`;
}

export const plainTypes: Readonly<Record<string, string>> = {
  string: "z.string()",
  boolean: "z.boolean()",
  integer: "z.number()",
  number: "z.number()",
};
