/** Tickets to a terminal's WebSocket, for pages that hold the token but cannot send it with one. Each admits once. */
import { urlOf } from "../http/request-url.ts";

const validSeconds = 60;

interface Ticket {
  /** The path it admits to. */
  path: string;
  expiresAt: number;
}

export class PtyTickets {
  readonly #tickets = new Map<string, Ticket>();

  issue(path: string): { ticket: string; expires_in: number } {
    const now = Date.now();
    for (const [ticket, { expiresAt }] of this.#tickets) if (expiresAt <= now) this.#tickets.delete(ticket);
    const ticket = crypto.randomUUID();
    this.#tickets.set(ticket, { path, expiresAt: now + validSeconds * 1000 });
    return { ticket, expires_in: validSeconds };
  }

  /** Whether the request has a ticket to that path; it is used up by this. */
  admits(request: Request, path: string): boolean {
    const ticket = urlOf(request).searchParams.get("ticket");
    const found = ticket === null ? undefined : this.#tickets.get(ticket);
    if (ticket === null || !found || found.path !== path || found.expiresAt <= Date.now()) return false;
    return this.#tickets.delete(ticket);
  }
}
