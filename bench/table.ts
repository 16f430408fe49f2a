/** Figures as a table for people. */
export interface Figure {
  work: string;
  value: number;
  unit: string;
  target?: string;
}

export function printTable(figures: readonly Figure[]): void {
  const rows = figures.map(({ work, value, unit, target = "" }) => [work, format(value), unit, target]);
  const all = [["work", "value", "unit", "target"], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  console.log(line(all[0] ?? []));
  console.log(line(widths.map((width) => "-".repeat(width))));
  for (const row of rows) console.log(line(row));
}

function format(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString("en");
  return value >= 10 ? value.toFixed(1) : value.toFixed(3);
}
