/** A named schema in the HTTP reference: a table of its fields, or what a union consists of. */
import { type JsonSchema, oneLine, typeOf } from "./schema-type.ts";

export function schemaSection(name: string, schema: JsonSchema): string {
  const { description } = schema;
  return [`### ${name}`, ...(description ? [`${oneLine(description)}.`] : []), ...contentOf(schema)].join("\n\n");
}

function contentOf(schema: JsonSchema): string[] {
  if (schema.properties) return [fieldTable(Object.keys(schema.properties), schema)];
  const variants = schema.oneOf ?? schema.anyOf ?? [];
  const objects = variants.filter(({ properties }) => properties);
  return objects.length > 1 && objects.length === variants.length ? unionOf(objects) : [typeOf(schema)];
}

/** The fields that all have in common once, then what is particular to each. */
function unionOf(variants: JsonSchema[]): string[] {
  const [first = {}] = variants;
  const shared = Object.keys(first.properties ?? {}).filter((name) =>
    variants.every((variant) => isSame(variant, first, name)),
  );
  const own = (variant: JsonSchema) => Object.keys(variant.properties ?? {}).filter((name) => !shared.includes(name));
  const names = own(first);
  const hasSameNames = variants.every((variant) => own(variant).join() === names.join());
  return [
    ...(shared.length > 0 ? ["Always:", fieldTable(shared, first)] : []),
    "One of:",
    ...(hasSameNames && names.length < 4
      ? [variantTable(names, variants)]
      : variants.map((variant) => fieldTable(own(variant), variant))),
  ];
}

function variantTable(names: string[], variants: JsonSchema[]): string {
  const rows = variants.map(
    ({ properties = {} }) => `| ${names.map((name) => typeOf(properties[name] ?? {})).join(" | ")} |`,
  );
  return [`| ${names.map((name) => `\`${name}\``).join(" | ")} |`, `|${"---|".repeat(names.length)}`, ...rows].join(
    "\n",
  );
}

function isSame(one: JsonSchema, other: JsonSchema, name: string): boolean {
  const field = ({ properties, required = [] }: JsonSchema) =>
    JSON.stringify([properties?.[name], required.includes(name)]);
  return field(one) === field(other);
}

function fieldTable(names: string[], { properties = {}, required = [] }: JsonSchema): string {
  const rows = names.map((name) => {
    const field = properties[name] ?? {};
    return `| \`${name}\`${required.includes(name) ? "" : "?"} | ${typeOf(field)} | ${oneLine(field.description ?? "")} |`;
  });
  return ["| field | type | |", "|---|---|---|", ...rows].join("\n");
}
