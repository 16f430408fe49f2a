/** Finds a running daemon of this user and its token. */
import { defaultDataDir } from "@sandbox-agent/daemon/options";
import { defaultHost, defaultPort } from "../default-address.ts";
import { isLoopback } from "../loopback.ts";
import { type Address, urlOf } from "./address.ts";
import { type DaemonState, readState, runningDaemons } from "./state.ts";

export interface FoundDaemon {
  url: string;
  /** Null if it has none, or its token is not stored on disk. */
  token: string | null;
}

/**
 * The daemon at that address; without an address the one at the default address, else the one with the default data directory, else
 * the only one whose token is known. Its URL has an IP address instead of `localhost`, which may be two addresses, one of them used by
 * another user's program.
 */
export function findDaemon(endpoint: string | null): FoundDaemon | null {
  const state = endpoint === null ? defaultDaemon() : daemonAt(endpoint);
  if (!state) return null;
  const { pathname } = new URL(endpoint ?? urlOf(state));
  return { url: urlOf(state) + pathname.replace(/\/+$/, ""), token: state.token };
}

function defaultDaemon(): DaemonState | null {
  const byAddress = stateAt({ host: defaultHost, port: defaultPort });
  if (byAddress) return byAddress;
  const running = runningDaemons();
  // A daemon with a token that is not stored belongs to a program that has started it.
  const [known, ...others] = running.filter(({ token }) => token !== null);
  const only = others.length === 0 ? known : undefined;
  return running.find(({ dataDir }) => dataDir === defaultDataDir()) ?? only ?? null;
}

/** A token is sent only to the address its daemon listens on: another user may listen on 127.0.0.2. */
function daemonAt(endpoint: string): DaemonState | null {
  const { hostname, port, protocol } = new URL(endpoint);
  if (protocol !== "http:") return null;
  return stateAt({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 80) });
}

/** A daemon that listens on all addresses is also found by loopback addresses. */
export function stateAt({ host, port }: Address): DaemonState | null {
  const own = host === "localhost" ? ["127.0.0.1", "::1"] : [];
  const names = [host, ...own, ...(isLoopback(host) ? ["0.0.0.0", "::"] : [])];
  for (const name of names) {
    const state = readState({ host: name, port });
    if (state) return state;
  }
  return null;
}
