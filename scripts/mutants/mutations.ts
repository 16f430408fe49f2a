/** The mutants of a source file: small changes of its text, each of which should make a test fail. */
import { parseSync } from "vite";

export interface Mutant {
  file: string;
  line: number;
  lastLine: number;
  start: number;
  end: number;
  original: string;
  replacement: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const swapped: Record<string, string> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "==": "!=",
  "!=": "==",
  "&&": "||",
  "||": "&&",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "+=": "-=",
  "-=": "+=",
};

/** Larger literals, and products of literals, are limits and durations whose exact value does not matter. */
const largestNumber = 10;

/** Nodes whose content is not executed, or whose literals are names. */
const ignored = /^(TS(?!AsExpression|SatisfiesExpression|NonNullExpression)|Import|ExportAll|ExportSpecifier)/;

export function mutantsOf(file: string, source: string): Mutant[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const mutants: Mutant[] = [];
  const text = ({ start, end }: Node) => source.slice(start, end);
  const lineAt = (position: number) => source.slice(0, position).split("\n").length;
  const change = ({ start, end }: { start: number; end: number }, replacement: string) =>
    mutants.push({
      file,
      line: lineAt(start),
      lastLine: lineAt(end),
      start,
      end,
      original: source.slice(start, end),
      replacement,
    });

  const visit = (node: Node, parent: Node | null): void => {
    if (ignored.test(node.type) || isConstant(node)) return;
    mutate(node, parent);
    for (const [key, value] of Object.entries(node)) {
      if (key === "key" && !node.computed) continue;
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, node);
    }
  };

  const mutate = (node: Node, parent: Node | null): void => {
    switch (node.type) {
      case "IfStatement":
        return condition(node.test as Node);
      case "WhileStatement":
      case "ForStatement":
        if (node.test) change(node.test as Node, "false");
        return;
      case "ConditionalExpression":
        if (!isComparison(node.test as Node)) change(node.test as Node, `!(${text(node.test as Node)})`);
        return;
      case "BinaryExpression":
      case "LogicalExpression":
      case "AssignmentExpression":
        return operator(node);
      case "UpdateExpression":
        change(node, node.operator === "++" ? text(node).replace("++", "--") : text(node).replace("--", "++"));
        return;
      case "UnaryExpression":
        if (node.operator === "!") change(node, text(node.argument as Node));
        return;
      case "Literal":
        if (typeof node.value === "boolean") change(node, String(!node.value));
        else if (typeof node.value === "number" && node.value <= largestNumber) change(node, String(node.value + 1));
        return;
      case "ExpressionStatement":
        if (isCall(node.expression as Node)) change(node, ";");
        return;
      case "BlockStatement":
        return block(node, parent);
    }
  };

  const condition = (test: Node): void => {
    change(test, "true");
    change(test, "false");
  };

  const operator = (node: Node): void => {
    const [left, right] = [node.left as Node, node.right as Node];
    // Only the right side: the left side alone is almost always a type error.
    if (node.operator === "??") return void change(node, text(right));
    const other = swapped[node.operator as string];
    if (!other || (node.operator === "+" && (isText(left) || isText(right)))) return;
    const at = left.end + source.slice(left.end, right.start).indexOf(node.operator as string);
    change({ start: at, end: at + (node.operator as string).length }, other);
  };

  /** Blocks of a single statement are covered by the mutants of the statement and of its condition. */
  const block = (node: Node, parent: Node | null): void => {
    const statements = (node.body as Node[]).length;
    const isBody = parent !== null && /Function/.test(parent.type);
    if (isBody ? statements > 0 && !text(node).includes("super(") : statements > 1) change(node, "{}");
  };

  visit(program as unknown as Node, null);
  return mutants;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function isConstant({ type, left, right }: Node): boolean {
  const isFixed = (node: unknown) => isNode(node) && (node.type === "Literal" || isConstant(node));
  return type === "BinaryExpression" && isFixed(left) && isFixed(right);
}

/** Changing its operator is the same as negating it. */
function isComparison(node: Node): boolean {
  return (
    node.type === "UnaryExpression" || (node.type === "BinaryExpression" && /^[!=]==?$/.test(String(node.operator)))
  );
}

function isCall(node: Node): boolean {
  if (node.type === "AwaitExpression" || node.type === "UnaryExpression") return isCall(node.argument as Node);
  if (node.type === "ChainExpression") return isCall(node.expression as Node);
  return node.type === "CallExpression" && (node.callee as Node).type !== "Super";
}

function isText(node: Node): boolean {
  if (node.type === "BinaryExpression" && node.operator === "+") {
    return isText(node.left as Node) || isText(node.right as Node);
  }
  return node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string");
}
