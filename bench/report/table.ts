/** Figures as Markdown tables. */
import type { Comparison, Figure } from "./figure.ts";

export function figureTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ work, value, unit }) => [work, format(value), unit]);
  return table([["work", "value", "unit"], ...rows]);
}

export function comparisonTable(comparisons: readonly Comparison[], [us, them]: readonly [string, string]): string {
  const rows = comparisons.map(({ work, unit, ours, theirs }) => [
    work,
    format(ours),
    theirs === null ? "–" : format(theirs),
    theirs ? `${(ours / theirs).toFixed(2)} ×` : "",
    unit,
  ]);
  return table([["work", us, them, "ratio", "unit"], ...rows]);
}

function table(rows: readonly string[][]): string {
  const [head = [], ...body] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
}

function format(value: number): string {
  if (value === 0) return "0";
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString("en");
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toPrecision(2);
}
