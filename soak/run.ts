/**
 * A run consists of rounds: users work while faults are injected, then all sessions become idle and are checked. In the first
 * half the daemon is killed as well. In the second half it keeps running, so that its open files and memory can be compared.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { spawnModel } from "../bench/model.ts";
import { agentVariables, chosenAgents, type SoakAgent } from "./agents.ts";
import { checkData } from "./check/data.ts";
import { checkSession } from "./check/history.ts";
import { checkMemory, checkOpenFiles, checkProcesses, memoryOf, type OpenFiles, openFiles } from "./check/leftovers.ts";
import { createClient, type SoakClient } from "./client.ts";
import { type SoakDaemon, startSoakDaemon } from "./daemon.ts";
import { injectFaults } from "./faults.ts";
import { createLedger, type Ledger, type SoakSession } from "./ledger.ts";
import { createPlace, type Place } from "./place.ts";
import { seededRandom } from "./random.ts";
import { type Reader, readAllSessions, readSession } from "./reader.ts";
import { waitForRest } from "./rest.ts";
import { createSlot } from "./slot.ts";
import { deleteSession, useSession } from "./user.ts";

export interface SoakOptions {
  minutes: number;
  seed: number;
  agents: readonly string[];
  log(line: string): void;
}

export interface SoakResult {
  ledger: Ledger;
  /** Resident memory of the daemon after each round of the second half, in megabytes. */
  memory: number[];
  /** Faults that are not available on this machine. */
  missing: string[];
}

interface Run {
  options: SoakOptions;
  place: Place;
  daemon: SoakDaemon;
  ledger: Ledger;
  client: SoakClient;
  agents: SoakAgent[];
  everything: ReturnType<typeof readAllSessions>;
}

/** Short, so that idle agents are closed before leftovers are checked. */
const agentIdleMs = 1500;
/** The daemon frees memory after two idle seconds. */
const quietMs = 3000;
const usersPerSession = 2;
const readersPerSession = 2;

export async function soak(options: SoakOptions): Promise<SoakResult> {
  const ledger = createLedger(({ rule, message }) => options.log(`VIOLATION ${rule}: ${message}`));
  const place = createPlace();
  const agents = chosenAgents(options.agents);
  const model = agents.some(({ id }) => id !== "mock") ? await spawnModel() : null;
  const outputFile = join(place.root, "daemon.txt");
  const daemon = await startSoakDaemon(
    {
      dataDir: place.dataDir,
      outputFile,
      flags: ["--agent-idle-ms", String(agentIdleMs)],
      env: {
        HOME: place.home,
        ...(model && (await agentVariables(agents, model.url, place.home))),
        ...place.clock?.env,
        SANDBOX_AGENT_LOG: "error",
        SANDBOX_AGENT_LOG_DIR: place.root,
      },
    },
    ledger,
  );
  const client = createClient(daemon, ledger, place.disk);
  const everything = readAllSessions({ daemon, ledger, random: seededRandom(options.seed, "everything") });
  const run: Run = { options, place, daemon, ledger, client, agents, everything };
  const memory = await playRounds(run).catch((error): number[] => {
    ledger.violate("run", `the run failed: ${error}`);
    return [];
  });

  everything.stop();
  const code = await daemon.stop();
  if (code !== 0) ledger.violate("stop", `the daemon exited with ${code} on SIGTERM`);
  await checkProcesses(ledger, place.dataDir);
  checkData(ledger, place.dataDir);
  checkLoggedErrors(run, [outputFile, join(place.root, "sandbox-agent.log")]);
  model?.close();
  const missing = [
    ...(place.disk ? [] : ["disk full (mounting needs root)"]),
    ...(place.clock ? [] : ["clock moved (needs libfaketime)"]),
  ];
  if (ledger.violations.length === 0) place.remove();
  else options.log(`files of the run: ${place.root}`);
  return { ledger, memory, missing };
}

async function playRounds(run: Run): Promise<number[]> {
  const { daemon, ledger, options } = run;
  const [start, length] = [performance.now(), options.minutes * 60_000];
  const memory: number[] = [];
  let first: OpenFiles | null = null;
  for (let round = 1; ; round++) {
    const passed = (performance.now() - start) / length;
    const killsDaemon = passed < 0.5 && first === null;
    if (passed >= 1 && first !== null) break;
    await playRound(run, round, killsDaemon);
    if (killsDaemon) continue;
    await Bun.sleep(quietMs);
    memory.push(memoryOf(daemon));
    if (first) await checkOpenFiles(ledger, daemon, first);
    first ??= openFiles(daemon.pid);
  }
  checkMemory(ledger, memory);
  return memory;
}

async function playRound(run: Run, round: number, killsDaemon: boolean): Promise<void> {
  const { options, place, daemon, ledger, client, agents, everything } = run;
  const random = (name: string) => seededRandom(options.seed, `${round}/${name}`);
  const readers = new Map<SoakSession, Reader[]>();
  const follow = (session: SoakSession) =>
    readers.set(
      session,
      Array.from({ length: readersPerSession }, (_, index) =>
        readSession({ daemon, ledger, random: random(`reader ${session.id} ${index}`) }, session),
      ),
    );

  const pauseMs = Math.max(...agents.map((agent) => agent.pauseMs));
  const faults = injectFaults({ daemon, place, ledger, random: random("faults") }, pauseMs, killsDaemon);
  await Promise.all(
    agents.flatMap((agent) =>
      Array.from({ length: agent.sessions }, async (_, index) => {
        const slot = createSlot(agent, random(`slot ${agent.id} ${index}`), {
          client,
          ledger,
          root: place.root,
          onCreated: follow,
        });
        const users = Array.from({ length: usersPerSession }, (_, user) =>
          useSession({ client, ledger, random: random(`user ${agent.id} ${index} ${user}`) }, slot, agent.actions),
        );
        await Promise.all(users);
      }),
    ),
  );
  await faults.stop();

  for (const reader of [everything, ...[...readers.values()].flat()]) reader.readSteadily();
  const sessions = ledger.sessions.splice(0);
  await Promise.all(
    sessions.map(async (session) => {
      const agent = agents.find(({ id }) => id === session.agent);
      if (agent) await waitForRest({ client, ledger, random: random(`rest ${session.id}`) }, agent, session);
    }),
  );
  for (const session of sessions) {
    const own = readers.get(session) ?? [];
    if (session.deletion !== "done") await checkSession(client, ledger, session, [...own, everything]);
    for (const reader of own) reader.stop();
  }
  await checkProcesses(ledger, place.dataDir);
  for (const session of sessions) {
    while (session.deletion !== "done") await deleteSession(client, ledger, session);
    everything.forget(session.id);
  }
  everything.readErratically();
  const { counts, violations } = ledger;
  options.log(
    `round ${round}: ${counts.turns ?? 0} turns, ${counts.events ?? 0} events, ${violations.length} violations`,
  );
}

/** Errors that the daemon has logged, other than those of a disk that was filled on purpose. */
function checkLoggedErrors({ ledger }: Run, files: readonly string[]): void {
  for (const file of files) {
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
    const errors = lines.filter(
      (line) => line !== "" && !/ENOSPC|SQLITE_FULL|the disk that holds the event log is full/.test(line),
    );
    if (errors.length > 0)
      ledger.violate("logged-error", `${errors.length} lines in ${file}: ${errors[0]?.slice(0, 1000)}`);
  }
}
