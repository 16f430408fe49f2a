/** Whether a daemon is healthy. */
import { Health } from "@sandbox-agent/schema";
import { type Address, urlOf } from "./address.ts";

export async function isHealthy(address: Address): Promise<boolean> {
  try {
    const response = await fetch(`${urlOf(address)}/v1/health`, { signal: AbortSignal.timeout(2000), proxy: false });
    return response.ok && Health().safeParse(await response.json()).success;
  } catch {
    return false;
  }
}
