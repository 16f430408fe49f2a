/**
 * Reads TypeScript declarations: the only description of its protocol that Claude Code is published with. Knows as much
 * of the language as those declarations use for data: literals, objects, unions, arrays, records and references.
 */

/** A type as a small JSON Schema. `{}` is anything. */
export interface TypeNode {
  const?: string | number | boolean;
  type?: "string" | "number" | "boolean" | "null" | "array" | "object";
  items?: TypeNode;
  properties?: Record<string, TypeNode>;
  required?: string[];
  additionalProperties?: TypeNode;
  anyOf?: TypeNode[];
  $ref?: string;
}

const declaration =
  /^(?:export )?(?:declare )?(?:type (\w+)(?:<[^>\n]*>)? = |interface (\w+)(?: extends [^{]+)? (?=\{))/gm;

/** Type names with the source text of their types. */
export function declarations(source: string): Map<string, string> {
  const text = source.replaceAll("\r\n", "\n");
  const found = [...text.matchAll(declaration)];
  return new Map(
    found.map((match) => {
      const start = match.index + match[0].length;
      return [match[1] ?? match[2] ?? "", text.slice(start)];
    }),
  );
}

const token =
  /\s+|\/\*[\s\S]*?\*\/|\/\/[^\n]*|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|[A-Za-z_$][\w$.]*|=>|\.\.\.|\S)/gy;

function* tokens(text: string): Generator<string> {
  token.lastIndex = 0;
  const scanner = new RegExp(token);
  for (let match = scanner.exec(text); match; match = scanner.exec(text)) if (match[1] !== undefined) yield match[1];
}

/** The type at the start of the text. */
export function parseType(text: string): TypeNode {
  const source = tokens(text);
  let next = source.next().value ?? "";

  function take(): string {
    const taken = next;
    next = source.next().value ?? "";
    return taken;
  }

  function accept(expected: string): boolean {
    if (next !== expected) return false;
    take();
    return true;
  }

  function expect(expected: string): void {
    if (!accept(expected)) throw new Error(`expected ${expected} but found ${next}`);
  }

  function union(): TypeNode {
    accept("|");
    const members = [intersection()];
    while (accept("|")) members.push(intersection());
    return oneOf(members);
  }

  function intersection(): TypeNode {
    let node = postfix();
    while (accept("&")) {
      const other = postfix();
      node = both(node, other);
    }
    return node;
  }

  function postfix(): TypeNode {
    let node = primary();
    while (accept("[")) {
      if (accept("]")) {
        node = { type: "array", items: node };
        continue;
      }
      union();
      expect("]");
      node = {};
    }
    return node;
  }

  function primary(): TypeNode {
    if (accept("{")) return object();
    if (accept("[")) return tuple();
    if (accept("(")) {
      const node = union();
      expect(")");
      return node;
    }
    const word = take();
    if (word === "readonly") return postfix();
    if (/^['"]/.test(word)) return { const: word.slice(1, -1) };
    if (/^-?\d/.test(word)) return { const: Number(word) };
    const args = accept("<") ? typeArguments() : [];
    return named(word.replace(/^coreTypes\./, ""), args);
  }

  function typeArguments(): TypeNode[] {
    const args = [union()];
    while (accept(",")) args.push(union());
    expect(">");
    return args;
  }

  function object(): TypeNode {
    const properties: Record<string, TypeNode> = {};
    const required: string[] = [];
    let additionalProperties: TypeNode | undefined;
    while (!accept("}")) {
      accept("readonly");
      if (accept("[")) {
        while (!accept("]")) take();
        expect(":");
        additionalProperties = union();
      } else {
        const name = take().replace(/^['"]|['"]$/g, "");
        if (!accept("?")) required.push(name);
        expect(":");
        properties[name] = union();
      }
      if (!accept(";")) accept(",");
    }
    const isOpen = additionalProperties && Object.keys(properties).length === 0;
    return isOpen ? { type: "object", additionalProperties } : { type: "object", properties, required };
  }

  /** Tuples are used for lists of limited length; their members are alike. */
  function tuple(): TypeNode {
    const members: TypeNode[] = [];
    while (!accept("]")) {
      members.push(union());
      accept(",");
    }
    return { type: "array", items: members[0] ?? {} };
  }

  return union();
}

function named(name: string, args: readonly TypeNode[]): TypeNode {
  switch (name) {
    case "string":
    case "number":
    case "boolean":
    case "null":
      return { type: name };
    case "true":
    case "false":
      return { const: name === "true" };
    case "Array":
      return { type: "array", items: args[0] ?? {} };
    case "Record":
      return { type: "object", additionalProperties: args[1] ?? {} };
    case "unknown":
    case "any":
    case "undefined":
      return {};
    case "UUID":
      return { type: "string" };
    default:
      return args.length > 0 ? {} : { $ref: name };
  }
}

/** `string & {}` is the idiom for "any text, with these known values". */
function both(one: TypeNode, other: TypeNode): TypeNode {
  if (!one.properties) return one;
  const properties = { ...one.properties, ...other.properties };
  return { type: "object", properties, required: [...(one.required ?? []), ...(other.required ?? [])] };
}

/** A union, without repetitions and without needless nesting. */
export function oneOf(members: readonly TypeNode[]): TypeNode {
  const flat = members.flatMap((member) => member.anyOf ?? [member]);
  const distinct = [...new Map(flat.map((member) => [JSON.stringify(member), member])).values()];
  const [only] = distinct;
  return distinct.length === 1 && only ? only : { anyOf: distinct };
}
