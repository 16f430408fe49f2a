/** Resident memory: idle, with many sessions and their agents, and after very many events. */
import { join } from "node:path";
import { settledMemory } from "../process.ts";
import type { Figure } from "../report/figure.ts";
import type { System } from "../systems/system.ts";

export async function memory(system: System, directory: string, sessions: number, events: number): Promise<Figure[]> {
  const crowded = await system.start(join(directory, "crowded"));
  const idle = await settledMemory(crowded.pid);
  for (let index = 0; index < sessions; index++) {
    await crowded.open(`s${index}`);
    await crowded.prompt(`s${index}`, "hello");
  }
  const withSessions = await settledMemory(crowded.pid);
  await crowded.stop();

  const filled = await system.start(join(directory, "filled"));
  await filled.open("filled");
  await filled.prompt("filled", "hello");
  const afterTurn = await settledMemory(filled.pid);
  const perTurn = 50_000;
  for (let sent = 0; sent < events; sent += perTurn) await filled.prompt("filled", `burst ${perTurn}`);
  const afterEvents = await settledMemory(filled.pid);
  await filled.stop();
  return [
    { work: "RSS idle", value: idle.resident, unit: "MB" },
    { work: "RSS after a turn", value: afterTurn.resident, unit: "MB" },
    { work: `RSS with ${sessions} sessions`, value: withSessions.resident, unit: "MB" },
    { work: `RSS after ${events} events`, value: afterEvents.resident, unit: "MB" },
    { work: "anonymous memory after a turn", value: afterTurn.anonymous, unit: "MB" },
    { work: `anonymous memory after ${events} events`, value: afterEvents.anonymous, unit: "MB" },
  ];
}
