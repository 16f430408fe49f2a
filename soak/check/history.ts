/** Checks an idle session: its history is valid, has every accepted message, and every reader has received all of it. */
import { checkEvents, type UniversalEvent } from "@sandbox-agent/schema";
import type { SoakClient } from "../client.ts";
import type { Ledger, SentMessage, SoakSession } from "../ledger.ts";
import { digest, type Reader } from "../reader.ts";

const catchUpMs = 60_000;
const shownViolations = 3;

export async function checkSession(
  client: SoakClient,
  ledger: Ledger,
  session: SoakSession,
  readers: readonly Reader[],
): Promise<void> {
  const events = await readHistory(client, session.id);
  ledger.count("events", events.length);
  ledger.count("turns", events.filter(({ type }) => type === "turn.started").length);
  for (const { sequence, rule, message } of checkEvents(events, { finished: true }).slice(0, shownViolations))
    ledger.violate(`history: ${rule}`, `${session.id}, sequence ${sequence}: ${message}${around(events, sequence)}`);
  for (const message of session.messages) checkMessage(ledger, session, message, events);
  const digests = events.map((event) => digest(JSON.stringify(event)));
  for (const reader of readers) await checkReader(ledger, session, reader, digests);
}

async function readHistory(client: SoakClient, sessionId: string): Promise<UniversalEvent[]> {
  const events: UniversalEvent[] = [];
  for (;;) {
    const { json } = await client.requestUntilAnswered(
      "GET",
      `/v1/sessions/${sessionId}/events?offset=${events.length}&limit=1000`,
    );
    events.push(...json.events);
    if (!json.hasMore) return events;
  }
}

/** An accepted message has exactly one turn or was cancelled; a refused one has none. */
function checkMessage(
  ledger: Ledger,
  session: SoakSession,
  { token, messageId, outcome }: SentMessage,
  events: readonly UniversalEvent[],
): void {
  const delivered = events.filter((event) => isUserItem(event) && JSON.stringify(event.data).includes(token)).length;
  const cancelled = events.filter(
    (event) => event.type === "message.cancelled" && event.data.message_id === messageId,
  ).length;
  const expected = { accepted: [1], refused: [0], unknown: [0, 1] }[outcome];
  if (expected.includes(delivered + cancelled)) return;
  ledger.violate(
    delivered + cancelled === 0 ? "message-lost" : "message-doubled",
    `${session.id}: message ${messageId} (${token}) was ${outcome}, delivered ${delivered} times and cancelled ${cancelled} times`,
  );
}

function isUserItem(event: UniversalEvent): boolean {
  return event.type === "item.completed" && event.data.item.role === "user";
}

async function checkReader(
  ledger: Ledger,
  session: SoakSession,
  reader: Reader,
  digests: readonly number[],
): Promise<void> {
  const deadline = performance.now() + catchUpMs;
  while (reader.seen(session.id).length < digests.length && performance.now() < deadline) await Bun.sleep(10);
  const seen = reader.seen(session.id);
  if (seen.length !== digests.length)
    return ledger.violate("reader", `a reader of ${session.id} received ${seen.length} of ${digests.length} events`);
  const different = seen.findIndex((each, index) => each !== digests[index]);
  if (different !== -1)
    ledger.violate("reader", `a reader of ${session.id} received a different event at sequence ${different + 1}`);
}

function around(events: readonly UniversalEvent[], sequence: number): string {
  const lines = events
    .slice(Math.max(0, sequence - 7), sequence + 2)
    .map((event) => `\n      ${JSON.stringify(event).slice(0, 250)}`);
  return lines.join("");
}
