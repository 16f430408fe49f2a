/** Brings the sessions to rest: requests are answered, and what would hang for ever is aborted. Everything else must end. */
import type { SoakAgent } from "./agents.ts";
import type { SoakClient } from "./client.ts";
import type { Ledger, SoakSession } from "./ledger.ts";
import type { Random } from "./random.ts";
import { answerRequests } from "./requests.ts";

export async function bringToRest(
  { client, ledger, random }: { client: SoakClient; ledger: Ledger; random: Random },
  { patienceMs }: SoakAgent,
  session: SoakSession,
): Promise<void> {
  const path = `/v1/sessions/${session.id}`;
  if (session.hangs) await client.insist("POST", `${path}/abort`);
  let deadline = performance.now() + patienceMs;
  let reached = 0;
  for (;;) {
    const { status, json, text } = await client.insist("GET", `${path}/wait?until=idle,request,ended&timeout_ms=2000`);
    if (status === 404) {
      if (session.deletion === "none") ledger.violate("session-lost", `${session.id} is gone, but nobody deleted it`);
      session.deletion = "done";
      return;
    }
    if (status !== 200) return ledger.violate("no-rest", `waiting for ${session.id} answered ${text}`);
    // A session that ended may begin again with what is queued.
    const isBusy = json.session.queue.length > 0 || json.session.status === "running";
    if (json.reached === "request") await answerRequests(client, session.id, random);
    else if (json.reached !== null && !isBusy) return;
    if (json.session.lastSequence > reached) deadline = performance.now() + patienceMs;
    reached = json.session.lastSequence;
    if (performance.now() < deadline) continue;
    ledger.violate("no-rest", `${session.id} has said nothing for ${patienceMs} ms and does not rest: ${text}`);
    await client.insist("POST", `${path}/terminate`);
    return;
  }
}
