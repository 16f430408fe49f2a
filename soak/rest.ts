/** Waits until a session is idle. Answers its requests and aborts a turn that hangs on purpose; everything else must end by itself. */
import type { SoakAgent } from "./agents.ts";
import type { SoakClient } from "./client.ts";
import type { Ledger, SoakSession } from "./ledger.ts";
import type { Random } from "./random.ts";
import { answerRequests } from "./requests.ts";

export async function waitForRest(
  { client, ledger, random }: { client: SoakClient; ledger: Ledger; random: Random },
  { silenceMs }: SoakAgent,
  session: SoakSession,
): Promise<void> {
  const path = `/v1/sessions/${session.id}`;
  if (session.hangs) await client.requestUntilAnswered("POST", `${path}/abort`);
  let deadline = performance.now() + silenceMs;
  let reached = 0;
  for (;;) {
    const { status, json, text } = await client.requestUntilAnswered(
      "GET",
      `${path}/wait?until=idle,request,ended&timeout_ms=2000`,
    );
    if (status === 404) {
      if (session.deletion === "none")
        ledger.violate("session-lost", `${session.id} does not exist any more, but was not deleted`);
      session.deletion = "done";
      return;
    }
    if (status !== 200) return ledger.violate("no-rest", `waiting for ${session.id} failed: ${text}`);
    // A session that has ended may start again with queued messages.
    const isBusy = json.session.queue.length > 0 || json.session.status === "running";
    if (json.reached === "request") await answerRequests(client, session.id, random);
    else if (json.reached !== null && !isBusy) return;
    if (json.session.lastSequence > reached) deadline = performance.now() + silenceMs;
    reached = json.session.lastSequence;
    if (performance.now() < deadline) continue;
    ledger.violate("no-rest", `${session.id} is busy without an event for ${silenceMs} ms: ${text}`);
    await client.requestUntilAnswered("POST", `${path}/terminate`);
    return;
  }
}
