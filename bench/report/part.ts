/** The result of one part of the benchmarks, and its text. */
import type { Curve, Growth } from "../measure/growth.ts";
import type { Comparison, Figure } from "./figure.ts";
import { comparisonTable, figureTable } from "./table.ts";

export type Part =
  | { kind: "comparison"; names: readonly [string, string]; rows: Comparison[]; more: Figure[] }
  | ({ kind: "growth" } & Growth)
  | { kind: "figures"; rows: Figure[] };

export function partText(part: Part): string {
  if (part.kind === "figures") return figureTable(part.rows);
  if (part.kind === "growth") return [...part.bySessions, ...part.byEvents, ...part.byAgents].map(curveText).join("\n");
  return `${comparisonTable(part.rows, part.names)}\n\n${figureTable(part.more)}`;
}

function curveText({ title, unit, points }: Curve): string {
  return `${title}, ${unit}: ${points.map(({ x, y }) => `${x.toLocaleString("en")} → ${y.toPrecision(3)}`).join("  ")}`;
}
