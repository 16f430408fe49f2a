/** Tickets to a terminal's WebSocket, for pages that hold the token but cannot send it with one. Each admits once. */
import type { Principal } from "../../access/principal.ts";
import { urlOf } from "../../http/request-url.ts";

const validSeconds = 60;

interface Ticket {
  /** The path it admits to. */
  path: string;
  /** Who got it. */
  principal: Principal;
  expiresAt: number;
}

export class PtyTickets {
  readonly #tickets = new Map<string, Ticket>();

  issue(path: string, principal: Principal): { ticket: string; expires_in: number } {
    const now = Date.now();
    for (const [ticket, { expiresAt }] of this.#tickets) if (expiresAt <= now) this.#tickets.delete(ticket);
    const ticket = crypto.randomUUID();
    this.#tickets.set(ticket, { path, principal, expiresAt: now + validSeconds * 1000 });
    return { ticket, expires_in: validSeconds };
  }

  /** The ticket to that path that the request has; it is used up by this. */
  use(request: Request, path: string): Ticket | null {
    const ticket = urlOf(request).searchParams.get("ticket");
    const found = ticket === null ? undefined : this.#tickets.get(ticket);
    if (ticket === null || !found || found.path !== path || found.expiresAt <= Date.now()) return null;
    this.#tickets.delete(ticket);
    return found.principal.ended?.aborted ? null : found;
  }
}
