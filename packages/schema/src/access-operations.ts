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
    summary: "Make a token with a scope and an expiry",
    description:
      "For browsers, bots and people who should not have the daemon's own token. A token never allows more than the one it was made with.",
    body: CreateTokenRequest,
    success: { status: 200, json: CreateTokenResponse },
  },
  listTokens: {
    method: "GET",
    path: "/v1/tokens",
    tag: "access",
    scopes: ["admin"],
    summary: "Tokens that were made, newest first",
    description: "Those that expired more than 30 days ago are left out.",
    success: { status: 200, json: TokenList },
  },
  revokeToken: {
    method: "DELETE",
    path: "/v1/tokens/{token_id}",
    tag: "access",
    scopes: ["admin"],
    summary: "Revoke a token at once; its streams and sockets are closed",
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
        cursor: z.string().optional().describe("`nextCursor` of an earlier answer"),
        principal: z.string().optional().describe("Only of this token"),
        session_id: z.string().optional().describe("Only of this session"),
        operation: z.string().optional().describe("Only of this operation"),
      }),
    ),
    success: { status: 200, json: AuditPage },
  },
} as const satisfies Record<string, Operation>;
