/** Limits for the figures of a run. They are not published; a run that misses one prints it and exits with code 1. */
import type { Part } from "./part.ts";

interface Limit {
  work: string;
  /** `ratio`: of ours ÷ theirs; `value`: of our own figure. */
  of: "ratio" | "value";
  atMost?: number;
  atLeast?: number;
}

const ratio = (work: string, bounds: Pick<Limit, "atMost" | "atLeast">): Limit => ({ work, of: "ratio", ...bounds });
const value = (work: string, atMost: number): Limit => ({ work, of: "value", atMost });

const agents = ["claude", "codex", "opencode"];
const paced = ["200 events/s", "2000 events/s", "50 sessions × 40 events/s"].flatMap((load) => [
  ratio(`${load}: added latency p50`, { atMost: 2 }),
  ratio(`${load}: added latency p99`, { atMost: 5 }),
  value(`${load}: added latency p99`, 3),
]);

const limits: readonly Limit[] = [
  ratio("start → healthy", { atMost: 0.8 }),
  ratio("start → first turn of a first session done", { atMost: 1.3 }),
  ratio("GET /v1/health, 32 clients", { atLeast: 2 }),
  ratio("session created, p50", { atMost: 1 }),
  ratio("whole turn on a warm session, 20 deltas, p50", { atMost: 1 }),
  ...paced,
  ratio("one session, burst of 100000", { atLeast: 3 }),
  ratio("… CPU per 100k events", { atMost: 0.3 }),
  ratio("50 sessions × 2000 events", { atLeast: 4 }),
  ratio("500 readers, burst of 2000", { atLeast: 15 }),
  ...["… lost", "… lost of 100000", "… lost of 1000000"].map((work) => value(work, 0)),
  value("RSS idle", 40),
  value("RSS after 1000000 events", 80),
  value("history of 100000 by pages of 1000: CPU per event", 3),
  value("… by SSE replay", 3),
  ...agents.map((agent) => value(`${agent}: added by the daemon, p50`, 5)),
];

/** One line for each limit that was measured and missed. */
export function missedLimits(parts: readonly Part[]): string[] {
  const figures = parts.flatMap(figuresOf);
  const measuredOf = (work: string) => figures.find((figure) => figure.work === work)?.value ?? Number.NaN;
  const slower = agents.filter(
    (agent) =>
      measuredOf(`${agent}: added by the daemon, p50`) >= measuredOf(`${agent}: added by the upstream daemon, p50`),
  );
  const missed = limits.flatMap(
    ({ work, of, atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY }) => {
      const measured = figures.find((figure) => figure.work === work)?.[of];
      if (measured === undefined || (measured <= atMost && measured >= atLeast)) return [];
      const bound = measured > atMost ? `at most ${atMost}` : `at least ${atLeast}`;
      return [`${work}: the ${of} is ${measured.toPrecision(3)}, it should be ${bound}`];
    },
  );
  return [...missed, ...slower.map((agent) => `${agent}: the daemon adds more than the upstream one`)];
}

interface Measured {
  work: string;
  value: number;
  ratio?: number;
}

function figuresOf(part: Part): Measured[] {
  if (part.kind === "growth") return [];
  if (part.kind === "figures") return part.rows;
  const compared = part.rows.map(({ work, ours, theirs }) => ({
    work,
    value: ours,
    ...(theirs ? { ratio: ours / theirs } : {}),
  }));
  return [...compared, ...part.more];
}
