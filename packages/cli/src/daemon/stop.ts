/** Stops a background daemon. */
import { Failure } from "../failure.ts";
import type { Address } from "./address.ts";
import { isAlive } from "./process.ts";
import { removeState } from "./state.ts";
import { statusOf } from "./status.ts";
import { waitUntil } from "./wait-until.ts";

const graceMs = 5000;

/** Returns a message for the user. */
export async function stopInBackground(address: Address): Promise<string> {
  const { running, pid, url } = await statusOf(address);
  if (!running) return `Not running on ${url}.`;
  if (pid === null) throw notStartedByUser(url);
  await stopProcess(pid);
  removeState(address, pid);
  return `Stopped ${url} (pid ${pid}).`;
}

export function notStartedByUser(url: string): Failure {
  return new Failure(`the daemon at ${url} was not started by this user; stop it the way it was started`);
}

export async function stopProcess(pid: number): Promise<void> {
  signal(pid, "SIGTERM");
  if (await waitUntil(() => !isAlive(pid), graceMs)) return;
  signal(pid, "SIGKILL");
  if (!(await waitUntil(() => !isAlive(pid), graceMs))) throw new Failure(`process ${pid} does not exit`);
}

function signal(pid: number, name: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (isAlive(pid)) throw new Failure(`cannot stop process ${pid}: ${String(error)}`);
  }
}
