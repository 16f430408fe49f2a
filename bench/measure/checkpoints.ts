/** Checkpoints of a large project: the first, later ones without changes, and restoring. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { post } from "../client.ts";
import { type Figure, median } from "../report/figure.ts";
import type { System } from "../systems/system.ts";

const files = 20_000;
const runs = 11;

export async function checkpoints(system: System, directory: string): Promise<Figure[]> {
  const project = join(directory, "project");
  for (let index = 0; index < files; index += 1) {
    const folder = join(project, `d${index % 500}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `f${index}.txt`), `${index}\n`.repeat(50));
  }
  const daemon = await system.start(join(directory, "checkpoints"));
  await post(daemon.url, "/v1/sessions/large", { agent: "mock", directory: project });
  const path = "/v1/sessions/large/checkpoints";
  const checkpoint = () => post(daemon.url, path, {});

  const first = await timed(checkpoint);
  const unchanged: number[] = [];
  for (let run = 0; run < runs; run += 1) unchanged.push(await timed(checkpoint));
  const { checkpoints: all } = (await (await fetch(daemon.url + path)).json()) as {
    checkpoints: { checkpointId: string }[];
  };
  const restore = () => post(daemon.url, `${path}/${all[0]?.checkpointId}/restore`, {});
  const nothing = await timed(restore);
  writeFileSync(join(project, "d0/f0.txt"), "changed\n");
  const changed = await timed(checkpoint);
  const restored = await timed(restore);
  await daemon.stop();
  return [
    { work: `first checkpoint of ${files} files`, value: first, unit: "ms" },
    { work: "checkpoint of them unchanged, p50", value: median(unchanged), unit: "ms" },
    { work: "restore of them unchanged", value: nothing, unit: "ms" },
    { work: "checkpoint after one of them changed", value: changed, unit: "ms" },
    { work: "restore of that one", value: restored, unit: "ms" },
  ];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
