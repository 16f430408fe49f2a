/** The status of a background daemon. */

import { inspectorUrl } from "../inspector-url.ts";
import type { Table } from "../table.ts";
import { version } from "../version.ts";
import { type Address, urlOf } from "./address.ts";
import { stateAt } from "./find.ts";
import { isHealthy } from "./health.ts";
import { stateFiles } from "./state.ts";

export interface Status {
  /** Its process is running, or it responds. */
  running: boolean;
  healthy: boolean;
  url: string;
  /** With its token, if it has created one. */
  inspector: string;
  /** Null if it responds but was not started by this user. */
  pid: number | null;
  version: string | null;
  outdated: boolean;
  log: string;
}

export async function statusOf(address: Address): Promise<Status> {
  const healthy = await isHealthy(address);
  const url = urlOf(address);
  const state = stateAt(address);
  return {
    running: healthy || state !== null,
    healthy,
    url,
    inspector: inspectorUrl(url, state?.token ?? null),
    pid: state?.pid ?? null,
    version: state?.version ?? null,
    outdated: state !== null && state.version !== version,
    log: stateFiles(address).log,
  };
}

export function statusTable(status: Status): Table {
  const empty = `Not running on ${status.url}. Start it with \`sandbox-agent daemon start\`.`;
  if (!status.running) return { columns: [], rows: [], empty };
  const hint = status.outdated ? ` (this program is ${version}; upgrade with \`daemon start --upgrade\`)` : "";
  return {
    columns: ["RUNNING", status.healthy ? "yes" : "yes, but it does not respond"],
    rows: [
      ["URL", status.url],
      ["INSPECTOR", status.inspector],
      ["PID", String(status.pid ?? "unknown")],
      ["VERSION", (status.version ?? "unknown") + hint],
      ["LOG", status.log],
    ],
    empty,
  };
}
