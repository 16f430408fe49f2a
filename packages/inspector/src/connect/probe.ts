/** Checks whether this page can use a daemon, and if not, why. */
import { type AccessInfo, SandboxAgent, SandboxAgentError } from "sandbox-agent";
import { failureText } from "../app/failure-text.ts";
import { requestLog } from "../panels/requests/request-log.ts";
import type { Connection } from "./connection-store.ts";

export type ProbeResult =
  | { ok: true; access: AccessInfo | null }
  | { ok: false; reason: "token" | "cors" | "unreachable" | "mixed" | "other"; detail: string };

export async function probe({ endpoint, token, headers }: Connection): Promise<ProbeResult> {
  const client = SandboxAgent.at({
    baseUrl: endpoint,
    retries: 0,
    fetch: requestLog.fetch,
    ...(token && { token }),
    ...(headers && { headers }),
  });
  try {
    await client.getHealth();
    // Health needs no token; this request does.
    return { ok: true, access: await accessOf(client) };
  } catch (error) {
    return { ok: false, reason: await reasonOf(error, endpoint), detail: failureText(error) };
  } finally {
    void client.dispose();
  }
}

/** Null for a daemon of a version without scopes. */
async function accessOf(client: SandboxAgent): Promise<AccessInfo | null> {
  try {
    return await client.getAccess();
  } catch (error) {
    if (error instanceof SandboxAgentError && error.status === 404) {
      await client.getVersion();
      return null;
    }
    throw error;
  }
}

async function reasonOf(error: unknown, endpoint: string) {
  if (!(error instanceof SandboxAgentError)) return "other";
  if (error.kind === "token_invalid") return "token";
  if (error.status !== 0) return "other";
  if (location.protocol === "https:" && endpoint.startsWith("http:") && !isLoopback(endpoint)) return "mixed";
  return (await isReachable(endpoint)) ? "cors" : "unreachable";
}

/** A `no-cors` request succeeds even if CORS forbids reading the response. */
async function isReachable(endpoint: string): Promise<boolean> {
  return fetch(`${endpoint}/v1/health`, { mode: "no-cors" }).then(
    () => true,
    () => false,
  );
}

function isLoopback(endpoint: string): boolean {
  return /^(localhost|127\.|\[::1\])/.test(new URL(endpoint).host);
}
