/** One thing that was measured. */
export interface Figure {
  work: string;
  value: number;
  unit: string;
  /** What the value is a percentile of. */
  sample?: Sample;
}

export interface Sample {
  times: readonly number[];
  share: number;
}

/** The same work by this daemon and by the upstream one. */
export interface Comparison {
  work: string;
  unit: string;
  ours: number;
  theirs: number | null;
}

/**
 * Merges several runs of one system. Percentiles are over the samples of all runs, because a median of percentiles would hide
 * outliers of single runs; other figures are medians.
 */
export function mergeRuns(runs: readonly Figure[][]): Figure[] {
  const [first = []] = runs;
  return first.map(({ sample, ...figure }) => {
    const same = runs.flatMap((run) => run.filter(({ work }) => work === figure.work));
    if (!sample) return { ...figure, value: median(same.map(({ value }) => value)) };
    const times = same.flatMap((each) => each.sample?.times ?? []);
    return { ...figure, value: percentile(times, sample.share) };
  });
}

/** A percentile of times in milliseconds. */
export function percentileOf(work: string, times: readonly number[], share: number): Figure {
  return { work, value: percentile(times, share), unit: "ms", sample: { times, share } };
}

export function compare(ours: readonly Figure[], theirs: readonly Figure[]): Comparison[] {
  return ours.map(({ work, unit, value }) => {
    const other = theirs.find((figure) => figure.work === work);
    return { work, unit, ours: value, theirs: other?.value ?? null };
  });
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
