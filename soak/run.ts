/**
 * A run: rounds of work and trouble, each followed by rest and a look at everything. In the first half the daemon is
 * killed as well; in the second it lives on, so that what it keeps open and how much memory it holds can be compared.
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
import { makeTrouble } from "./faults.ts";
import { createLedger, type Ledger, type SoakSession } from "./ledger.ts";
import { createPlace, type Place } from "./place.ts";
import { seededRandom } from "./random.ts";
import { type Reader, readAllSessions, readSession } from "./reader.ts";
import { bringToRest } from "./rest.ts";
import { createSlot } from "./slot.ts";
import { deleteSession, useSession } from "./user.ts";

export interface SoakOptions {
  minutes: number;
  seed: number;
  agents: readonly string[];
  say(line: string): void;
}

export interface SoakResult {
  ledger: Ledger;
  /** Resident memory of the daemon at each rest of its last life, in megabytes. */
  memory: number[];
  /** Faults that this machine does not allow. */
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

/** Idle agents are closed quickly, so that a rest shows what is left of them. */
const agentIdleMs = 1500;
/** The daemon tidies up its memory when it has been quiet for two seconds. */
const quietMs = 3000;
const usersPerSession = 2;
const readersPerSession = 2;

export async function soak(options: SoakOptions): Promise<SoakResult> {
  const ledger = createLedger(({ rule, message }) => options.say(`VIOLATION ${rule}: ${message}`));
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
    ledger.violate("run", `it could not go on: ${error}`);
    return [];
  });

  everything.stop();
  const code = await daemon.stop();
  if (code !== 0) ledger.violate("stop", `the daemon ended with ${code} when it was asked to stop`);
  await checkProcesses(ledger, place.dataDir);
  checkData(ledger, place.dataDir);
  checkComplaints(run, [outputFile, join(place.root, "sandbox-agent.log")]);
  model?.close();
  const missing = [
    ...(place.disk ? [] : ["disk full (mounting needs root)"]),
    ...(place.clock ? [] : ["clock moved (needs libfaketime)"]),
  ];
  if (ledger.violations.length === 0) place.remove();
  else options.say(`what is left of the run: ${place.root}`);
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
  const trouble = makeTrouble({ daemon, place, ledger, random: random("trouble") }, pauseMs, killsDaemon);
  await Promise.all(
    agents.flatMap((agent) =>
      Array.from({ length: agent.sessions }, async (_, seat) => {
        const slot = createSlot(agent, random(`slot ${agent.id} ${seat}`), {
          client,
          ledger,
          root: place.root,
          onCreated: follow,
        });
        const users = Array.from({ length: usersPerSession }, (_, user) =>
          useSession({ client, ledger, random: random(`user ${agent.id} ${seat} ${user}`) }, slot, agent.actions),
        );
        await Promise.all(users);
      }),
    ),
  );
  await trouble.stop();

  for (const reader of [everything, ...[...readers.values()].flat()]) reader.calmDown();
  const sessions = ledger.sessions.splice(0);
  await Promise.all(
    sessions.map(async (session) => {
      const agent = agents.find(({ id }) => id === session.agent);
      if (agent) await bringToRest({ client, ledger, random: random(`rest ${session.id}`) }, agent, session);
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
  everything.liven();
  const { counts, violations } = ledger;
  options.say(
    `round ${round}: ${counts.turns ?? 0} turns, ${counts.events ?? 0} events, ${violations.length} violations`,
  );
}

/** What the daemon itself took for an error, other than a disk that we have filled. */
function checkComplaints({ ledger }: Run, files: readonly string[]): void {
  for (const file of files) {
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
    const complaints = lines.filter(
      (line) => line !== "" && !/ENOSPC|SQLITE_FULL|the disk that holds the event log is full/.test(line),
    );
    if (complaints.length > 0)
      ledger.violate("complaint", `${complaints.length} lines in ${file}: ${complaints[0]?.slice(0, 1000)}`);
  }
}
