/** Records every request to the API in the audit log, once it is answered or refused. */
import { problemKinds } from "@sandbox-agent/schema";
import { asProblemError } from "../http/problems.ts";
import { addressOf } from "../http/request-address.ts";
import { pathOf } from "../http/request-url.ts";
import type { Answer } from "../http/server.ts";
import type { AuditLog } from "./audit-log.ts";
import type { Principal } from "./principal.ts";

interface Facts {
  principal?: Principal;
  operation?: string;
  session?: string | undefined;
}

const factsOf = new WeakMap<Request, Facts>();

/** What a router has found out about a request. */
export function noteForAudit(request: Request, facts: Facts): void {
  factsOf.set(request, { ...factsOf.get(request), ...facts });
}

const switchedToSocket = 101;

export function audited(answer: Answer, log: AuditLog): Answer {
  return async (request, server) => {
    // Known only until the request is answered.
    const address = addressOf(request, server);
    const record = (status: number) => {
      const facts = factsOf.get(request);
      // Pages for people are no operation.
      if (!facts && status < 400) return;
      log.record({
        principal: facts?.principal?.id ?? null,
        operation: facts?.operation ?? null,
        session: facts?.session ?? null,
        method: request.method,
        path: pathOf(request),
        address,
        status,
      });
    };
    try {
      const response = await answer(request, server);
      record(response?.status ?? switchedToSocket);
      return response;
    } catch (error) {
      record(problemKinds[asProblemError(error).kind].status);
      throw error;
    }
  };
}
