/** One thing that was measured. */
export interface Figure {
  work: string;
  value: number;
  unit: string;
  /** A limit for the value. */
  target?: string;
}

/** The same work, by us and by what one would use instead. */
export interface Comparison {
  work: string;
  unit: string;
  ours: number;
  theirs: number | null;
  /** A limit for ours ÷ theirs. */
  target?: string;
}

/** Medians of several runs, the runs of one system given in any order. */
export function medians(runs: readonly Figure[][]): Figure[] {
  const [first = []] = runs;
  return first.map((figure) => {
    const values = runs.map((run) => run.find(({ work }) => work === figure.work)?.value ?? Number.NaN);
    return { ...figure, value: median(values) };
  });
}

export function compare(
  ours: readonly Figure[],
  theirs: readonly Figure[],
  targets: Record<string, string>,
): Comparison[] {
  return ours.map(({ work, unit, value }) => {
    const other = theirs.find((figure) => figure.work === work);
    const target = targets[work];
    return { work, unit, ours: value, theirs: other?.value ?? null, ...(target !== undefined && { target }) };
  });
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
