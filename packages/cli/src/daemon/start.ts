/** Starts a daemon in the background, detached from this process and its terminal. */
import { spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Failure } from "../failure.ts";
import { version } from "../version.ts";
import { type Address, urlOf } from "./address.ts";
import { isHealthy } from "./health.ts";
import { isAlive } from "./process.ts";
import { whileLocked } from "./start-lock.ts";
import { removeState, stateFiles, writeState } from "./state.ts";
import { type Status, statusOf } from "./status.ts";
import { stopProcess } from "./stop.ts";
import { waitUntil } from "./wait-until.ts";

export interface StartOptions {
  token: string | null;
  dataDir?: string;
  agentConfig?: string;
  upgrade?: boolean;
}

const patienceMs = 30_000;

/** Returns what to tell the user. */
export function startInBackground(address: Address, options: StartOptions): Promise<string> {
  return whileLocked(stateFiles(address).lock, patienceMs, () => start(address, options));
}

async function start(address: Address, options: StartOptions): Promise<string> {
  const found = await statusOf(address);
  if (!found.running) return launch(address, options);
  if (options.upgrade && found.version !== version) return upgrade(address, options, found);
  const isGone = () => found.pid !== null && !isAlive(found.pid);
  const settled = await waitUntil(async () => isGone() || (await isHealthy(address)), patienceMs);
  if (isGone()) return start(address, options);
  if (!settled)
    throw new Failure(`process ${found.pid} is there but does not answer on ${found.url}; see ${found.log}`);
  const hint = found.outdated ? `\nIt is version ${found.version}; upgrade it with \`daemon start --upgrade\`.` : "";
  return `Already running on ${found.url}${pidNote(found.pid)}.${hint}`;
}

async function upgrade(address: Address, options: StartOptions, { pid, url }: Status): Promise<string> {
  if (pid === null) throw new Failure(`the process that listens on ${url} cannot be found; stop it by hand`);
  await stopProcess(pid);
  removeState(address);
  return launch(address, options);
}

async function launch(address: Address, options: StartOptions): Promise<string> {
  const { log } = stateFiles(address);
  const output = openSync(log, "a", 0o600);
  const logStart = fstatSync(output).size;
  const pid = spawnServer(address, options, output);
  closeSync(output);
  writeState(address, pid, version);

  const settled = await waitUntil(async () => !isAlive(pid) || (await isHealthy(address)), patienceMs);
  if (settled && isAlive(pid))
    return `Started sandbox-agent ${version} on ${urlOf(address)} (pid ${pid}).\nLog: ${log}`;

  await stopProcess(pid);
  removeState(address);
  const reason = settled ? "the server ended at once" : `the server did not answer within ${patienceMs / 1000} s`;
  throw new Failure(`${reason}. Its log, ${log}, says:\n${readFileSync(log).subarray(logStart).toString().trim()}`);
}

function spawnServer({ host, port }: Address, options: StartOptions, output: number): number {
  const { token, dataDir, agentConfig } = options;
  const dataDirArgs = dataDir === undefined ? [] : ["--data-dir", dataDir];
  const configArgs = agentConfig === undefined ? [] : ["--agent-config", agentConfig];
  const server = ["server", "--host", host, "--port", String(port), ...dataDirArgs, ...configArgs];
  // By environment, since anybody can read a command line.
  const { SANDBOX_AGENT_TOKEN: _, ...env } = process.env;
  const child = spawn(process.execPath, [...ownArguments(), ...server], {
    detached: true,
    stdio: ["ignore", output, output],
    env: token === null ? env : { ...env, SANDBOX_AGENT_TOKEN: token },
  });
  child.unref();
  if (child.pid === undefined) throw new Failure(`cannot run ${process.execPath}`);
  return child.pid;
}

/** What the runtime is given to become this program; an executable of its own is it already. */
function ownArguments(): string[] {
  if (Bun.isStandaloneExecutable) return [];
  return [...process.execArgv, fileURLToPath(new URL("../main.ts", import.meta.url))];
}

function pidNote(pid: number | null): string {
  return pid === null ? "" : ` (pid ${pid})`;
}
