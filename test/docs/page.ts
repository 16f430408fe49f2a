/** Reads pages of the documentation, so that tests can compare them with the code. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "../..");

export function page(name: string): string {
  return readFileSync(join(root, "docs", name), "utf8");
}

/** The text below a heading, up to the next heading of the same or a higher level. */
export function section(text: string, heading: string): string {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, "") === heading);
  if (start === -1) throw new Error(`there is no heading "${heading}"`);
  const level = /^#+/.exec(lines[start] ?? "")?.[0].length ?? 0;
  const end = lines.findIndex((line, index) => index > start && (/^(#+) /.exec(line)?.[1]?.length ?? 99) <= level);
  return lines.slice(start + 1, end === -1 ? undefined : end).join("\n");
}

/** The rows of all tables in a text, without their heads, as cells. */
export function rows(text: string): string[][] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    const isRow = line.startsWith("|") && !/^\|[-:| ]+\|$/.test(line);
    const isHead = /^\|[-:| ]+\|$/.test(lines[index + 1] ?? "");
    return isRow && !isHead ? [cells(line)] : [];
  });
}

function cells(line: string): string[] {
  return line
    .slice(1, line.lastIndexOf("|"))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** What a cell has between backticks, one by one. */
export function code(cell: string | undefined): string[] {
  return [...(cell ?? "").matchAll(/`([^`]+)`/g)].map(([, text]) => text ?? "");
}
