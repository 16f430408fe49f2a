/** docs/benchmarks.md and its pictures, from the parts that were measured. */
import { join } from "node:path";
import type { Part } from "./part.ts";
import { partText } from "./part.ts";
import { comparisonPlot, growthPlot } from "./plot.ts";

const texts: Record<string, string> = {
  daemons: `## Against the upstream daemon

The same scripted ACP agent, a process per session that writes one line per event, behind both daemons. It is a small program in
C, so that the daemons are measured and not the agent. Both run side by side, and each piece of work is done by one and then by the
other, in five rounds. Percentiles are those of all rounds together, other figures are medians of the rounds; a ratio is ours ÷
theirs. Ours stores every event on disk before anyone sees it and keeps it; the upstream daemon keeps the last 1024 frames in
memory. The first turn of a first session is that of a daemon that has just been started, on a new directory, and the client asks
for it as soon as the daemon is healthy. For all other work each daemon has been warmed up with a hundred sessions, a burst of
100,000 events and 1000 turns. A turn is over when the client has all that the agent said: ours tells it in the answer to the
message, upstream on the stream of its server. Twenty deltas are an answer of a few sentences. Where there are so many events per
second, they come at random moments, as those of a model do.

"The least on this runtime" is no daemon, but a program of a hundred lines that reads what the agent says, commits it to SQLite and
sends it, and does nothing else: about what any daemon on this runtime takes for single events. It is measured after both in each
round.

![Bars of the figures below](images/benchmarks.svg)`,
  growth: `## As more is stored

Sessions and events are those of the mock agent, which runs inside the daemon; agents are processes of the scripted one. Both axes are
logarithmic.

![By sessions](images/growth-sessions.svg)
![By events](images/growth-events.svg)
![By agents](images/growth-agents.svg)`,
  agents: `## What the daemon adds to a real agent

Real programs on a scripted model on the same machine: message → first delta on a warm session, turn by turn in alternation with
the bare program driven over its own protocol, after a dozen turns of each.`,
  checkpoints: `## Checkpoints of a directory`,
};

export async function writeReport(docs: string, parts: Record<string, Part>): Promise<void> {
  const sections = Object.entries(parts).map(([name, part]) => `${texts[name]}\n\n${body(part)}`);
  const head =
    "# Benchmarks\n\nWritten by `npm run bench -- --write`: one run on two cores of a shared machine. Ratios count, not times.";
  await Bun.write(join(docs, "benchmarks.md"), `${[head, ...sections].join("\n\n")}\n`);
  for (const part of Object.values(parts)) await writePictures(join(docs, "images"), part);
}

function body(part: Part): string {
  return part.kind === "growth" ? `\`\`\`text\n${partText(part)}\n\`\`\`` : partText(part);
}

async function writePictures(images: string, part: Part): Promise<void> {
  if (part.kind === "comparison")
    await Bun.write(join(images, "benchmarks.svg"), comparisonPlot(part.rows, part.names));
  if (part.kind !== "growth") return;
  await Bun.write(join(images, "growth-sessions.svg"), growthPlot(part.bySessions, "sessions"));
  await Bun.write(join(images, "growth-events.svg"), growthPlot(part.byEvents, "events"));
  await Bun.write(join(images, "growth-agents.svg"), growthPlot(part.byAgents, "agents"));
}
