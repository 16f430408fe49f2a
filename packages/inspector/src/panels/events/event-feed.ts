/**
 * All events of a session in order: history in pages, then what the session object hears. A live event that does not
 * follow the last one only says how far to read, so the list has no gap and nothing twice.
 */
import type { SandboxAgent, Session, UniversalEvent } from "sandbox-agent";

export interface EventFeed {
  /** The same array as long as nothing was added. */
  events(): readonly UniversalEvent[];
  /** Why history could not be read; reading is tried again with the next event. */
  failure(): unknown;
  subscribe(listener: () => void): () => void;
  close(): void;
}

const pageSize = 1000;

export function followEvents(client: SandboxAgent, session: Session): EventFeed {
  const closing = new AbortController();
  const listeners = new Set<() => void>();
  const all: UniversalEvent[] = [];
  let shown: readonly UniversalEvent[] = [];
  let failure: unknown = null;
  let wanted = 0;
  let reading = false;
  let telling = false;

  const last = () => all.at(-1)?.sequence ?? 0;

  /** Once for everything that comes together; a stream of deltas would otherwise render for each of them. */
  function tell(): void {
    if (telling) return;
    telling = true;
    setTimeout(() => {
      telling = false;
      shown = all.slice();
      for (const listener of listeners) listener();
    }, 50);
  }

  function take(event: UniversalEvent): void {
    if (event.sequence <= last()) return;
    all.push(event);
    tell();
  }

  async function readUntilWanted(): Promise<void> {
    while (last() < wanted) {
      const query = { offset: last(), limit: pageSize };
      const { events } = await client.getEvents(session.id, query, { signal: closing.signal });
      if (events.length === 0) wanted = last();
      for (const event of events) take(event);
    }
  }

  async function read(): Promise<void> {
    if (reading) return;
    reading = true;
    try {
      await readUntilWanted();
      failure = null;
    } catch (error) {
      if (closing.signal.aborted) return;
      failure = error;
    } finally {
      reading = false;
      tell();
    }
    // An event may have come after the last look.
    if (failure === null && last() < wanted) void read();
  }

  const off = session.on("event", (event) => {
    wanted = Math.max(wanted, event.sequence);
    if (!reading && event.sequence === last() + 1) take(event);
    else void read();
  });
  const offReset = session.on("reset", () => {
    all.length = 0;
    wanted = 0;
    tell();
  });
  void session
    .info({ signal: closing.signal })
    .then(({ lastSequence }) => {
      wanted = Math.max(wanted, lastSequence);
      return read();
    })
    .catch((error) => {
      if (closing.signal.aborted) return;
      failure = error;
      tell();
    });

  return {
    events: () => shown,
    failure: () => failure,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      off();
      offReset();
      closing.abort();
    },
  };
}
