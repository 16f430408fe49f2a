/** Events that this API sends to its clients in addition to those projected from the log. */
import type { OpenCodeEvent } from "./wire.ts";

type Listener = (event: OpenCodeEvent, directory: string) => void;

export class Announcements {
  readonly #listeners = new Set<Listener>();

  /** Returns a function that unsubscribes the listener. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  announce(directory: string, ...events: OpenCodeEvent[]): void {
    for (const event of events) for (const listener of this.#listeners) listener(event, directory);
  }

  /** Clients that have the session open show it as a notice. */
  fail(directory: string, sessionID: string, message: string): void {
    const error = { name: "UnknownError" as const, data: { message } };
    this.announce(directory, { type: "session.error", properties: { sessionID, error } });
  }
}
