/**
 * Declared types to the source of zod schemas. Only discriminators and members without which a message cannot be used are
 * required, because members that are declared as required are sometimes missing.
 */
import { moduleOf, zodOfObject } from "../json-schema.ts";
import { declarations, oneOf, parseType, type TypeNode } from "./declarations.ts";
import { needed, opaque, picks } from "./picks.ts";

export type Definitions = Record<string, TypeNode>;

/** The picked types, cut down to the picked members, everything else resolved. */
export function definitionsFrom(sources: readonly string[]): Definitions {
  const declared = new Map(sources.flatMap((source) => [...declarations(source)]));
  return Object.fromEntries(
    Object.entries(picks).map(([name, members]) => {
      const text = declared.get(name);
      if (text === undefined) throw new Error(`the declarations have no type ${name}`);
      return [name, pickMembers(name, simplify(parseType(text), declared), members)];
    }),
  );
}

function pickMembers(name: string, node: TypeNode, members: readonly string[]): TypeNode {
  if (node.anyOf) return oneOf(node.anyOf.map((variant) => pickMembers(name, variant, members)));
  if (!node.properties) return node;
  const declaredNames = Object.keys(node.properties);
  const names = members.length === 0 ? declaredNames : members;
  const entries = names.flatMap((member): [string, TypeNode][] => {
    if (opaque.has(`${name}.${member}`)) return [[member, {}]];
    const type = node.properties?.[member];
    return type ? [[member, type]] : [];
  });
  const required = node.required?.filter((member) => entries.some(([key]) => key === member) && isNeeded(node, member));
  return { type: "object", properties: Object.fromEntries(entries), required };
}

function isNeeded(node: TypeNode, member: string): boolean {
  return typeof node.properties?.[member]?.const === "string" || needed.has(member);
}

/** References to picked types stay; others are resolved, and objects that are not picked accept anything. */
function simplify(node: TypeNode, declared: ReadonlyMap<string, string>): TypeNode {
  const inner = (part: TypeNode) => simplify(part, declared);
  if (node.$ref !== undefined) {
    if (picks[node.$ref]) return node;
    const text = declared.get(node.$ref);
    if (text === undefined) return {};
    const target = inner(parseType(text));
    return target.properties ? {} : target;
  }
  if (node.anyOf) return withoutEnumerations(oneOf(node.anyOf.map(inner)));
  if (node.items) return { ...node, items: inner(node.items) };
  if (node.additionalProperties) return { ...node, additionalProperties: inner(node.additionalProperties) };
  if (node.properties) {
    const entries = Object.entries(node.properties).map(([key, type]) => [key, inner(type)] as const);
    const required = node.required?.filter((member) => isNeeded(node, member));
    return { ...node, properties: Object.fromEntries(entries), required };
  }
  return node;
}

/** Enums accept any text, because new values appear without notice. Null is accepted everywhere. */
function withoutEnumerations(node: TypeNode): TypeNode {
  if (!node.anyOf) return node;
  const members = node.anyOf.filter(({ type }) => type !== "null");
  return oneOf(members.map((member) => (typeof member.const === "string" ? { type: "string" } : member)));
}

export function zodModule(definitions: Definitions, version: string): string {
  return moduleOf(
    `the declarations for Claude Code ${version} by packages/agents/schemas/claude.ts`,
    definitions,
    zodOf,
  );
}

function zodOf(node: TypeNode): string {
  if (node.$ref !== undefined) return node.$ref;
  if (node.const !== undefined) return `z.literal(${JSON.stringify(node.const)})`;
  if (node.anyOf) return `z.union([${node.anyOf.map(zodOf).join(", ")}])`;
  if (node.items) return `z.array(${zodOf(node.items)})`;
  if (node.additionalProperties) return `z.record(z.string(), ${zodOf(node.additionalProperties)})`;
  if (node.properties) return zodOfObject(node.properties, node.required, ".nullish()", zodOf);
  return node.type === undefined || node.type === "object" ? "z.unknown()" : `z.${node.type}()`;
}
