/** Tables for terminals. */

export interface Table {
  columns: string[];
  rows: string[][];
  /** Shown instead when there are no rows. */
  empty: string;
}

export function formatTable({ columns, rows, empty }: Table): string {
  if (rows.length === 0) return empty;
  const lines = [columns, ...rows].map((line) => line.map(printable));
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => Bun.stringWidth(line[column] ?? ""))));
  return lines
    .map((line) =>
      line
        .map((cell, column) => pad(cell, widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Names and titles are untrusted: control characters could affect the terminal or break the line. */
function printable(cell: string): string {
  return cell.replace(/\p{Cc}/gu, " ");
}

function pad(cell: string, width: number): string {
  return cell + " ".repeat(width - Bun.stringWidth(cell));
}
