/** Writes JSON Schema as types in Markdown: `string`, a list of [Item](#item), one of two words. */
import * as z from "zod";

export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: boolean | JsonSchema;
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
}

export const JsonSchema: z.ZodType<JsonSchema> = z.lazy(() =>
  z.looseObject({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    const: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    description: z.string().optional(),
    properties: z.record(z.string(), JsonSchema).optional(),
    required: z.array(z.string()).optional(),
    items: JsonSchema.optional(),
    additionalProperties: z.union([z.boolean(), JsonSchema]).optional(),
    oneOf: z.array(JsonSchema).optional(),
    anyOf: z.array(JsonSchema).optional(),
  }),
);

export function typeOf(schema: JsonSchema): string {
  if (schema.$ref) return named(schema.$ref.replace("#/components/schemas/", ""));
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(" \\| ");
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) return variants.map(typeOf).join(" \\| ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(" \\| ");
  if (schema.type === "array") return schema.items ? `list of ${typeOf(schema.items)}` : "list";
  if (schema.properties) return objectType(schema);
  if (schema.type === "object") return mapType(schema);
  return schema.type ?? "any";
}

function objectType({ properties = {}, required = [] }: JsonSchema): string {
  const fields = Object.entries(properties).map(
    ([name, field]) => `\`${name}\`${required.includes(name) ? "" : "?"}: ${typeOf(field)}`,
  );
  return `{ ${fields.join(", ")} }`;
}

function mapType({ additionalProperties }: JsonSchema): string {
  return typeof additionalProperties === "object" && Object.keys(additionalProperties).length > 0
    ? `map of string to ${typeOf(additionalProperties)}`
    : "object";
}

function literal(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}

/** A link to the section of an operation or a schema. */
export function named(id: string): string {
  return `[${id}](#${id.toLowerCase()})`;
}

/** For a cell of a table or the end of a line. Words like `<kind>` would be read as HTML outside of code. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll("|", "\\|")
    .split("`")
    .map((part, index) => (index % 2 === 0 ? part.replaceAll("<", "&lt;") : part))
    .join("`");
}
