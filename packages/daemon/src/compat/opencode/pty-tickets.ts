/** Single-use tickets for a terminal's WebSocket, because browsers cannot send a token with one. */
import type { Principal } from "../../access/principal.ts";
import { urlOf } from "../../http/request-url.ts";

const validSeconds = 60;

interface Ticket {
  /** The path it is valid for. */
  path: string;
  /** Who requested it. */
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

  /** The request's ticket for that path, which is invalid afterwards; null if it has none. */
  use(request: Request, path: string): Ticket | null {
    const ticket = urlOf(request).searchParams.get("ticket");
    const found = ticket === null ? undefined : this.#tickets.get(ticket);
    if (ticket === null || !found || found.path !== path || found.expiresAt <= Date.now()) return null;
    this.#tickets.delete(ticket);
    return found.principal.ended?.aborted ? null : found;
  }
}
