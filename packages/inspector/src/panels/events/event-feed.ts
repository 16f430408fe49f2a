/**
 * All events of a session in order: pages of history, then live events. A live event that does not directly follow the last one
 * only sets how far to read, so the list has no gaps and no duplicates.
 */
import type { SandboxAgent, Session, UniversalEvent } from "sandbox-agent";

export interface EventFeed {
  /** The same array until events are added. */
  events(): readonly UniversalEvent[];
  /** Why history could not be read. The next event triggers a new attempt. */
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
  let notifying = false;

  const last = () => all.at(-1)?.sequence ?? 0;

  /** Debounced, so that a stream of deltas does not render for each of them. */
  function notify(): void {
    if (notifying) return;
    notifying = true;
    setTimeout(() => {
      notifying = false;
      shown = all.slice();
      for (const listener of listeners) listener();
    }, 50);
  }

  function add(event: UniversalEvent): void {
    if (event.sequence <= last()) return;
    all.push(event);
    notify();
  }

  async function readUntilWanted(): Promise<void> {
    while (last() < wanted) {
      const query = { offset: last(), limit: pageSize };
      const { events } = await client.getEvents(session.id, query, { signal: closing.signal });
      if (events.length === 0) wanted = last();
      for (const event of events) add(event);
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
      notify();
    }
    // An event may have arrived after the last check.
    if (failure === null && last() < wanted) void read();
  }

  const off = session.on("event", (event) => {
    wanted = Math.max(wanted, event.sequence);
    if (!reading && event.sequence === last() + 1) add(event);
    else void read();
  });
  const offReset = session.on("reset", () => {
    all.length = 0;
    wanted = 0;
    notify();
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
      notify();
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
