/** Tokens and the audit log as resources, and what the token of a request allows. */
import { scopes } from "@sandbox-agent/schema";
import { hasScope } from "../access/principal.ts";
import type { HttpContext } from "./context.ts";
import type { Handlers } from "./router.ts";

const defaultLimit = 100;
const maxLimit = 1000;

export function accessHandlers({ tokens, audit }: Pick<HttpContext, "tokens" | "audit">) {
  return {
    getAccess: ({ principal }) => ({
      id: principal.id,
      kind: principal.kind,
      scopes: scopes.filter((scope) => hasScope(principal, scope)),
      sessions: principal.sessions && [...principal.sessions],
      expiresAt: principal.expiresAt === null ? null : new Date(principal.expiresAt).toISOString(),
    }),
    createToken: async ({ body, principal }) => (await tokens.get()).create(body, principal),
    listTokens: async () => ({ tokens: (await tokens.get()).list() }),
    async listAudit({ query: { limit = defaultLimit, cursor, session_id: session, ...filter } }) {
      const { entries, more } = await audit.page(Math.min(limit, maxLimit), cursor, { ...filter, session });
      const last = entries.at(-1);
      return { entries, ...(more && last && { nextCursor: last.id }) };
    },
    revokeToken: async ({ params }) => (await tokens.get()).revoke(params.token_id),
  } satisfies Partial<Handlers>;
}
