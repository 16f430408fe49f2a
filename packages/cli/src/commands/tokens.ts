/** `api tokens …`: tokens with scopes and an expiry. `api audit`: the log of requests. */
import { AuditPage, type Scope, scopes, TokenList } from "@sandbox-agent/schema";
import { type Command, InvalidArgumentError } from "commander";
import { addOperation } from "../operation-command.ts";
import { repeated, wholeNumber } from "../option-values.ts";
import type { Table } from "../table.ts";

interface CreateOptions {
  scope: Scope[];
  session?: string[];
  expires?: number;
  name?: string;
}

interface AuditOptions {
  limit?: number;
  cursor?: string;
  principal?: string;
  session?: string;
  operation?: string;
}

export function addTokens(parent: Command, description: string): void {
  const tokens = parent.command("tokens").description(description);
  addOperation(tokens, {
    operation: "createToken",
    usage: "create",
    request: ({ scope, session, expires, name }: CreateOptions) => ({
      params: {},
      body: {
        scopes: scope,
        ...(session && { sessions: session }),
        ...(expires !== undefined && { expiresInSeconds: expires }),
        ...(name !== undefined && { name }),
      },
    }),
  })
    .requiredOption("-s, --scope <scope>", `${scopes.join(", ")}; may be repeated (required)`, repeatedScope)
    .option("--session <id>", "limit it to this session; may be repeated (default: all)", repeated)
    .option("--expires <time>", "validity, such as 30m, 8h or 90d (default: 1h)", seconds)
    .option("--name <name>", "name in the list of tokens")
    .addHelpText("after", help);
  addOperation(tokens, { operation: "listTokens", usage: "list", request: () => ({ params: {} }), table: tokenTable });
  addOperation(tokens, {
    operation: "revokeToken",
    usage: "revoke <token-id>",
    request: (token_id: string) => ({ params: { token_id } }),
  });
  addOperation(tokens, { operation: "getAccess", usage: "whoami", request: () => ({ params: {} }) });
}

export function addAudit(parent: Command): void {
  addOperation(parent, {
    operation: "listAudit",
    usage: "audit",
    request: (options: AuditOptions) => ({
      params: {},
      query: {
        limit: options.limit,
        cursor: options.cursor,
        principal: options.principal,
        session_id: options.session,
        operation: options.operation,
      },
    }),
    table: auditTable,
  })
    .option("--limit <n>", "maximum number of entries (default: 100)", wholeNumber(1, 1000))
    .option("--cursor <cursor>", "continue a list: `nextCursor` of the previous page")
    .option("--principal <id>", "only requests with this token")
    .option("--session <id>", "only requests for this session")
    .option("--operation <id>", "only requests of this operation");
}

function auditTable(value: unknown): Table {
  const { entries } = AuditPage().parse(value);
  return {
    columns: ["TIME", "WHO", "FROM", "STATUS", "WHAT", "SESSION"],
    rows: entries.map(({ time, principal, address, status, operation, method, path, session }) => [
      time,
      principal ?? "-",
      address,
      String(status),
      operation ?? `${method} ${path}`,
      session ?? "-",
    ]),
    empty: "No entries.",
  };
}

function repeatedScope(text: string, earlier: Scope[] | undefined): Scope[] {
  const scope = scopes.find((known) => known === text);
  if (!scope) throw new InvalidArgumentError(`It must be one of ${scopes.join(", ")}.`);
  return [...(earlier ?? []), scope];
}

const secondsIn: Record<string, number> = { s: 1, m: 60, h: 3600, d: 24 * 3600 };

function seconds(text: string): number {
  const [, count, unit = "s"] = /^(\d{1,9})([smhd])?$/.exec(text) ?? [];
  const value = Number(count) * (secondsIn[unit] ?? Number.NaN);
  if (value >= 1) return value;
  throw new InvalidArgumentError("It must be a time such as 90s, 30m, 8h or 90d.");
}

function tokenTable(value: unknown): Table {
  const { tokens } = TokenList().parse(value);
  return {
    columns: ["TOKEN", "NAME", "SCOPES", "SESSIONS", "EXPIRES", "STATE"],
    rows: tokens.map(({ id, name, scopes, sessions, expiresAt, revokedAt }) => [
      id,
      name ?? "-",
      scopes.join(","),
      sessions?.join(",") ?? "all",
      expiresAt,
      revokedAt ? "revoked" : Date.parse(expiresAt) <= Date.now() ? "expired" : "valid",
    ]),
    empty: "No tokens.",
  };
}

const help = `
Examples:
  $ sandbox-agent tokens create --scope read                          for a dashboard, one hour
  $ sandbox-agent tokens create -s read -s prompt --session demo      for a page that shows one conversation
  $ sandbox-agent tokens create -s admin --expires 90d --name ci      for a bot`;
