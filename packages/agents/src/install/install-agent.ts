/**
 * One installation. Everything is written to a hidden folder and tested before it replaces its version, so a failed or
 * interrupted installation changes nothing.
 */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { commandFor, type Finder, type Found, programIn } from "./find-agent.ts";
import { whileLocked } from "./install-lock.ts";
import { allFailed, asInstallProblem, installProblem, isDiskFull, ownCopy } from "./install-problem.ts";
import type { InstallProgress } from "./installer.ts";
import { probe } from "./probe.ts";
import type { Fetch, Source, Wanted } from "./source.ts";
import { type AgentStore, agentStore, isVersion } from "./store.ts";

export interface Installation extends Wanted {
  directory: string;
  /** null = the version of the manifest. */
  version: string | null;
  reinstall: boolean;
  /** Make it the version that is found by default. */
  makeCurrent: boolean;
  /** Tried in this order. */
  sources: readonly Source[];
  findOwn: Finder["findOwn"];
  report(progress: Omit<InstallProgress, "agent">): void;
}

/** Throws ProblemError. */
export async function installAgent(installation: Installation): Promise<Found> {
  const { agent, directory, report } = installation;
  const store = agentStore(directory, agent);
  try {
    report({ phase: "resolving", message: `resolving ${agent}` });
    mkdirSync(store.home, { recursive: true, mode: 0o700 });
    const waiting = () => report({ phase: "resolving", message: `waiting for another installation of ${agent}` });
    const installed = await whileLocked(store.lockFile, waiting, () => installHere(installation, store));
    report({ phase: "done", message: `${agent} ${installed.version} is installed`, fraction: 1 });
    return installed;
  } catch (error) {
    const problem = asInstallProblem(agent, store.home, error);
    report({ phase: "failed", message: problem.message });
    throw problem;
  }
}

/** Only for the holder of the lock. */
async function installHere(installation: Installation, store: AgentStore): Promise<Found> {
  const { agent, recipe, reinstall, makeCurrent, findOwn } = installation;
  const version = await exactVersion(installation);
  // Another process may have installed it while we waited.
  const present = findOwn({ agent, recipe, version });
  if (!present || reinstall) await stageAndPublish(installation, store, version);
  const installed = findOwn({ agent, recipe, version });
  if (!installed)
    throw installProblem(
      agent,
      `${agent} ${version} was removed from ${store.home} during the installation; install it again`,
    );
  if (makeCurrent) store.setCurrent(version);
  return installed;
}

async function stageAndPublish(installation: Installation, store: AgentStore, version: string): Promise<void> {
  store.sweep();
  const folder = store.stage(version);
  try {
    await fetchFromAny(installation, version, folder);
    await tryOut(installation, version, folder);
    store.publish(folder, version);
    store.sweep();
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function exactVersion(installation: Installation): Promise<string> {
  const { agent, version, recipe } = installation;
  const wanted = version ?? recipe.version ?? "latest";
  if (wanted !== "latest") return wanted;
  const latest = await firstThatWorks(installation, (source) => source.latest(installation));
  if (isVersion(latest)) return latest;
  throw installProblem(
    agent,
    `the newest version of ${agent} is reported as "${latest}", which is not a version; pass a version`,
  );
}

async function fetchFromAny(installation: Installation, version: string, folder: string): Promise<void> {
  const { reinstall, report } = installation;
  const fetch: Fetch = {
    ...installation,
    version,
    folder,
    fresh: reinstall,
    report: (phase, message, fraction) => report({ phase, message, ...(fraction !== undefined && { fraction }) }),
  };
  await firstThatWorks(installation, async (source) => {
    empty(folder);
    await source.fetch(fetch);
  });
}

async function firstThatWorks<Result>(
  { agent, directory, sources }: Installation,
  action: (source: Source) => Promise<Result>,
): Promise<Result> {
  const failures = [];
  for (const source of sources) {
    try {
      return await action(source);
    } catch (error) {
      const problem = asInstallProblem(agent, join(directory, agent), error);
      failures.push(problem);
      // Another source would fail on the same disk.
      if (isDiskFull(String(problem.context.details?.stderr))) break;
    }
  }
  throw allFailed(agent, failures);
}

/** Runs the program in the hidden folder, before it is published. */
async function tryOut(installation: Installation, version: string, folder: string): Promise<void> {
  const { agent, recipe, platform, sources, env, directory, report } = installation;
  report({ phase: "unpacking", message: `testing ${agent} ${version}` });
  const path = programIn(folder, sources, recipe, platform);
  if (!path)
    throw installProblem(agent, `${agent} ${version} does not contain its program; ${otherVersion(installation)}`);
  if (recipe.mute) return;
  const { command, env: needed } = commandFor(path, recipe, directory);
  const { version: actual, failure, stderr } = await probe(command, { ...env, ...needed });
  if (actual === version) return;
  const reason = failure ?? (actual ? `reports version ${actual}` : "does not report its version");
  const lastLine = stderr.trim().split("\n").at(-1);
  const message = `the program of ${agent} ${version} does not work here: it ${reason}${lastLine ? ` (${lastLine})` : ""}`;
  throw installProblem(agent, `${message}; ${otherVersion(installation)}`, stderr || message);
}

function otherVersion({ agent, recipe }: Installation): string {
  return `choose another version${recipe.mute ? "" : ` (${recipe.version} is tested)`}, ${ownCopy(agent)}`;
}

function empty(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
}
