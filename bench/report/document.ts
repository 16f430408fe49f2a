/** Writes docs/benchmarks.md and its charts. */
import { join } from "node:path";
import type { Part } from "./part.ts";
import { partText } from "./part.ts";
import { comparisonPlot, growthPlot } from "./plot.ts";

const texts: Record<string, string> = {
  daemons: `## Against the upstream daemon

Both daemons run the same scripted ACP agent: a process per session that writes one line per event. It is a small C program, so
that the daemons are measured and not the agent. Both daemons run side by side. In each of five rounds every piece of work is done
by one and then by the other. Percentiles are over all rounds, other figures are medians of the rounds, and a ratio is ours ÷
theirs. This daemon stores every event on disk before it sends it; the upstream daemon keeps the last 1024 frames in memory.

- *Start → first turn*: a daemon that has just started on an empty directory; the client sends the request as soon as the daemon
  is healthy.
- All other work: after a warm-up of 100 sessions, a burst of 100,000 events and 1000 turns.
- A turn ends when the client has everything the agent wrote: here in the response to the message, upstream on the stream of its
  server. Twenty deltas are an answer of a few sentences.
- Events at a rate (200 events/s) arrive at random intervals, as those of a model do.

*Baseline on this runtime* is a program of a hundred lines that reads lines from the agent, commits them to SQLite and sends them to
the reader, and does nothing else. It shows roughly what any daemon on this runtime needs for single events. It is measured after
both daemons in each round.

![Bars of the figures below](images/benchmarks.svg)`,
  growth: `## As more is stored

Sessions and events are those of the mock agent, which runs inside the daemon; agents are processes of the scripted agent. Both
axes are logarithmic.

![By sessions](images/growth-sessions.svg)
![By events](images/growth-events.svg)
![By agents](images/growth-agents.svg)`,
  agents: `## What the daemon adds to a real agent

Real agents with a scripted model on the same machine: message → first delta on a warm session, compared turn by turn with the bare
program driven over its own protocol. The first twelve turns of each process are not counted.`,
  checkpoints: `## Checkpoints of a directory`,
};

export async function writeReport(docs: string, parts: Record<string, Part>): Promise<void> {
  const sections = Object.entries(parts).map(([name, part]) => `${texts[name]}\n\n${body(part)}`);
  const head =
    "# Benchmarks\n\nWritten by `npm run bench -- --write`: one run on two cores of a shared machine. Compare ratios rather than times.";
  await Bun.write(join(docs, "benchmarks.md"), `${[head, ...sections].join("\n\n")}\n`);
  for (const part of Object.values(parts)) await writeCharts(join(docs, "images"), part);
}

function body(part: Part): string {
  return part.kind === "growth" ? `\`\`\`text\n${partText(part)}\n\`\`\`` : partText(part);
}

async function writeCharts(images: string, part: Part): Promise<void> {
  if (part.kind === "comparison")
    await Bun.write(join(images, "benchmarks.svg"), comparisonPlot(part.rows, part.names));
  if (part.kind !== "growth") return;
  await Bun.write(join(images, "growth-sessions.svg"), growthPlot(part.bySessions, "sessions"));
  await Bun.write(join(images, "growth-events.svg"), growthPlot(part.byEvents, "events"));
  await Bun.write(join(images, "growth-agents.svg"), growthPlot(part.byAgents, "agents"));
}
