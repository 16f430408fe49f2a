/** What can be known of a background daemon from outside. */
import type { Table } from "../table.ts";
import { version } from "../version.ts";
import { type Address, urlOf } from "./address.ts";
import { isHealthy } from "./health.ts";
import { findListener } from "./listener.ts";
import { isServer } from "./process.ts";
import { readState, removeState, stateFiles } from "./state.ts";

export interface Status {
  /** Its process is there, or it answers. */
  running: boolean;
  healthy: boolean;
  url: string;
  /** null when it answers but its process cannot be found. */
  pid: number | null;
  /** null when it was not started by `daemon start`. */
  version: string | null;
  outdated: boolean;
  log: string;
}

/** Forgets a recorded process that is gone. */
export async function statusOf(address: Address): Promise<Status> {
  const healthy = await isHealthy(address);
  const common = { healthy, url: urlOf(address), log: stateFiles(address).log };
  const recorded = readState(address);
  if (recorded !== null && isServer(recorded.pid, address))
    return { running: true, ...common, ...recorded, outdated: recorded.version !== version };
  if (recorded !== null) removeState(address);
  const pid = healthy ? findListener(address.port) : null;
  return { running: healthy, ...common, pid, version: null, outdated: false };
}

export function statusTable(status: Status): Table {
  const empty = `Not running on ${status.url}. Start it with \`sandbox-agent daemon start\`.`;
  if (!status.running) return { columns: [], rows: [], empty };
  const hint = status.outdated ? ` (this program is ${version}; upgrade with \`daemon start --upgrade\`)` : "";
  return {
    columns: ["RUNNING", status.healthy ? "yes" : "yes, but it does not answer"],
    rows: [
      ["URL", status.url],
      ["PID", String(status.pid ?? "unknown")],
      ["VERSION", (status.version ?? "unknown") + hint],
      ["LOG", status.log],
    ],
    empty,
  };
}
