/** Starts a daemon in the background, detached from this process and its terminal. */
import { spawn } from "node:child_process";
import { closeSync, fchmodSync, fstatSync, openSync, readFileSync } from "node:fs";
import { Failure } from "../failure.ts";
import { tokenVariable } from "../token/given-token.ts";
import type { ServerToken } from "../token/server-token.ts";
import { version } from "../version.ts";
import type { Address } from "./address.ts";
import { isHealthy } from "./health.ts";
import { ownArguments } from "./own-arguments.ts";
import { isAlive } from "./process.ts";
import { whileLocked } from "./start-lock.ts";
import { makeStateDirectory, stateFiles } from "./state.ts";
import { type Status, statusOf } from "./status.ts";
import { notStartedByUser, stopProcess } from "./stop.ts";
import { waitUntil } from "./wait-until.ts";

export interface StartOptions {
  token: ServerToken;
  dataDir?: string;
  agentConfig?: string;
  agentEnv?: string[];
  upgrade?: boolean;
}

const startTimeoutMs = 30_000;

/** Returns a message for the user. Only one start per address runs at a time. */
export function startInBackground(address: Address, options: StartOptions): Promise<string> {
  makeStateDirectory();
  return whileLocked(stateFiles(address).lock, startTimeoutMs, () => start(address, options));
}

async function start(address: Address, options: StartOptions): Promise<string> {
  const current = await statusOf(address);
  if (!current.running) return launch(address, options);
  if (options.upgrade && current.version !== version) return upgrade(address, options, current);
  // The daemon may still be starting or stopping.
  const isGone = () => current.pid !== null && !isAlive(current.pid);
  const settled = await waitUntil(async () => isGone() || (await isHealthy(address)), startTimeoutMs);
  if (isGone()) return start(address, options);
  if (!settled)
    throw new Failure(`process ${current.pid} is running but does not respond on ${current.url}; see ${current.log}`);
  const hint = current.outdated
    ? `\nIt is version ${current.version}; upgrade it with \`daemon start --upgrade\`.`
    : "";
  return `Already running on ${current.url}${pidNote(current.pid)}.${hint}\nInspector: ${current.inspector}`;
}

async function upgrade(address: Address, options: StartOptions, { pid, url }: Status): Promise<string> {
  if (pid === null) throw notStartedByUser(url);
  await stopProcess(pid);
  return launch(address, options);
}

async function launch(address: Address, options: StartOptions): Promise<string> {
  const { log } = stateFiles(address);
  const output = openSync(log, "a", 0o600);
  // The server prints its token.
  fchmodSync(output, 0o600);
  const logStart = fstatSync(output).size;
  const pid = spawnServer(address, options, output);
  closeSync(output);

  const settled = await waitUntil(async () => !isAlive(pid) || (await isHealthy(address)), startTimeoutMs);
  if (settled && isAlive(pid)) {
    const { url, inspector } = await statusOf(address);
    return `Started sandbox-agent ${version} on ${url} (pid ${pid}).\nInspector: ${inspector}\nLog: ${log}`;
  }

  await stopProcess(pid);
  const reason = settled
    ? "the server exited before it was ready"
    : `the server did not respond within ${startTimeoutMs / 1000} s`;
  throw new Failure(`${reason}. From its log, ${log}:\n${readFileSync(log).subarray(logStart).toString().trim()}`);
}

function spawnServer({ host, port }: Address, options: StartOptions, output: number): number {
  const { token, dataDir, agentConfig, agentEnv = [] } = options;
  const dataDirArgs = dataDir === undefined ? [] : ["--data-dir", dataDir];
  const configArgs = agentConfig === undefined ? [] : ["--agent-config", agentConfig];
  const envArgs = agentEnv.flatMap((name) => ["--agent-env", name]);
  const flags = [...dataDirArgs, ...configArgs, ...envArgs, ...tokenArgs(token)];
  const server = ["server", "--host", host, "--port", String(port), ...flags];
  const { [tokenVariable]: _, ...env } = process.env;
  const child = spawn(process.execPath, [...ownArguments(), ...server], {
    detached: true,
    stdio: ["pipe", output, output],
    env,
  });
  // The token is passed on standard input, because other processes can read the command line and the environment.
  child.stdin?.end(token ? `${token}\n` : "");
  child.unref();
  if (child.pid === undefined) throw new Failure(`cannot run ${process.execPath}`);
  return child.pid;
}

function tokenArgs(token: ServerToken): string[] {
  if (token === undefined) return [];
  return token === null ? ["--no-token"] : ["--token-fd", "0"];
}

function pidNote(pid: number | null): string {
  return pid === null ? "" : ` (pid ${pid})`;
}
