/** The operations on tokens and on the audit log. */
import * as z from "zod";
import { AccessInfo, AuditPage, CreateTokenRequest, CreateTokenResponse, TokenList } from "./access.ts";
import { lazy } from "./lazy.ts";
import type { Operation } from "./operations.ts";
import { positiveQuery } from "./query.ts";

export const accessOperations = {
  getAccess: {
    method: "GET",
    path: "/v1/access",
    tag: "access",
    scopes: [],
    summary: "What the token of this request allows",
    success: { status: 200, json: AccessInfo },
  },
  createToken: {
    method: "POST",
    path: "/v1/tokens",
    tag: "access",
    scopes: ["admin"],
    forSomeSessions: true,
    summary: "Create a token with scopes and an expiry time",
    description:
      "For browsers, bots and people who should not have the daemon's own token. A token never allows more than the token that created it.",
    body: CreateTokenRequest,
    success: { status: 200, json: CreateTokenResponse },
  },
  listTokens: {
    method: "GET",
    path: "/v1/tokens",
    tag: "access",
    scopes: ["admin"],
    summary: "Created tokens, newest first",
    description: "Those that expired more than 30 days ago are left out.",
    success: { status: 200, json: TokenList },
  },
  revokeToken: {
    method: "DELETE",
    path: "/v1/tokens/{token_id}",
    tag: "access",
    scopes: ["admin"],
    summary: "Revoke a token immediately; its streams and sockets are closed",
    success: { status: 204 },
    problems: ["not_found"],
  },
  listAudit: {
    method: "GET",
    path: "/v1/audit",
    tag: "access",
    scopes: ["admin"],
    summary: "Who did what, when, from where, and how it ended; newest first",
    query: lazy(() =>
      z.object({
        limit: positiveQuery().optional().describe("Default 100, at most 1000"),
        cursor: z.string().optional().describe("`nextCursor` of the previous page"),
        principal: z.string().optional().describe("Only requests with this token"),
        session_id: z.string().optional().describe("Only requests to this session"),
        operation: z.string().optional().describe("Only this operation"),
      }),
    ),
    success: { status: 200, json: AuditPage },
  },
} as const satisfies Record<string, Operation>;
