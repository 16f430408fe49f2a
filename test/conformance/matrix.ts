/**
 * The table of agents and scenarios in docs/agents.md: written from the results of a run, and read again, so that a run of
 * some agents keeps the columns of the others.
 */
import type { Subject } from "./subject.ts";

/** Agent → scenario → ✓ or ✗. */
export type Marks = ReadonlyMap<string, ReadonlyMap<string, string>>;

type Lacking = Pick<Subject, "id" | "lacks">;

/** What an agent lacks has a note instead of a mark, with the reason below the table. */
export function renderMatrix(agents: readonly Lacking[], scenarios: readonly string[], marks: Marks): string {
  const reasons: string[] = [];

  function cell({ id, lacks }: Lacking, scenario: string): string {
    const reason = lacks[scenario];
    return reason === undefined ? (marks.get(id)?.get(scenario) ?? "") : `– ${footnote(reason)}`;
  }

  function footnote(text: string): string {
    if (!reasons.includes(text)) reasons.push(text);
    return `<sup>${reasons.indexOf(text) + 1}</sup>`;
  }

  const head = [
    `| scenario | ${agents.map(({ id }) => id).join(" | ")} |`,
    `|---|${agents.map(() => ":-:|").join("")}`,
  ];
  const rows = scenarios.map((name) => `| ${name} | ${agents.map((agent) => cell(agent, name)).join(" | ")} |`);
  const notes = reasons.map((text, index) => `${index + 1}. ${text}`);
  return [...head, ...rows, ...(notes.length > 0 ? ["", ...notes] : [])].join("\n");
}

/** The marks of a table that `renderMatrix` has written. */
export function readMatrix(table: string): Marks {
  const [head = [], , ...rows] = table.split("\n").filter(isRow).map(cellsOf);
  const columns = head.slice(1).map((agent, index) => {
    const marks = rows.map(([scenario = "", ...cells]) => [scenario, cells[index] ?? ""] as const);
    return [agent, new Map(marks.filter(([, mark]) => mark === "✓" || mark === "✗"))] as const;
  });
  return new Map(columns);
}

function isRow(line: string): boolean {
  return line.startsWith("|");
}

function cellsOf(row: string): string[] {
  return row
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}
