/** Access control: scopes, tokens with scopes, and the audit log. */
import * as z from "zod";
import { type Infer, lazy } from "./lazy.ts";

export const scopes = ["read", "prompt", "approve", "files", "processes", "admin"] as const;
export type Scope = (typeof scopes)[number];

export const Scope = lazy(() =>
  z.enum(scopes).meta({
    id: "Scope",
    description:
      "`read`: sessions, events, transcripts, files. `prompt`: create sessions and send messages. `approve`: answer permissions and questions. `files`: change files. `processes`: processes and terminals. `admin`: everything.",
  }),
);

const Sessions = lazy(() =>
  z
    .array(z.string().min(1))
    .nullable()
    .meta({ description: "Ids of the sessions it is limited to; null = all sessions" }),
);
const Time = lazy(() => z.string().meta({ description: "ISO 8601" }));

export const CreateTokenRequest = lazy(() =>
  z
    .object({
      name: z.string().min(1).max(100).nullish().meta({ description: "Label in the list of tokens" }),
      scopes: z.array(Scope()).min(1).max(scopes.length),
      sessions: z
        .array(z.string().min(1))
        .min(1)
        .max(100)
        .nullish()
        .meta({ description: "Ids of the sessions it is limited to, which need not exist yet; default: all sessions" }),
      expiresInSeconds: z
        .int()
        .min(1)
        .max(366 * 24 * 3600)
        .optional()
        .meta({ description: "Default 3600" }),
    })
    .meta({ id: "CreateTokenRequest" }),
);
export type CreateTokenRequest = Infer<typeof CreateTokenRequest>;

const tokenFields = () => ({
  id: z.string(),
  name: z.string().nullable(),
  scopes: z.array(Scope()),
  sessions: Sessions(),
  createdBy: z.string().meta({ description: "Id of the token that created it" }),
  createdAt: Time(),
  expiresAt: Time(),
});

export const CreateTokenResponse = lazy(() =>
  z
    .object({ ...tokenFields(), token: z.string().meta({ description: "Shown once; it is not stored" }) })
    .meta({ id: "CreateTokenResponse" }),
);
export type CreateTokenResponse = Infer<typeof CreateTokenResponse>;

export const TokenInfo = lazy(() =>
  z.object({ ...tokenFields(), revokedAt: Time().nullable() }).meta({ id: "TokenInfo" }),
);
export type TokenInfo = Infer<typeof TokenInfo>;

export const TokenList = lazy(() => z.object({ tokens: z.array(TokenInfo()) }).meta({ id: "TokenList" }));

export const AccessInfo = lazy(() =>
  z
    .object({
      id: z
        .string()
        .meta({ description: "`root`, `open` without a token, the id of a token, or `sub:` and a subject" }),
      kind: z.enum(["root", "open", "token", "identity"]),
      scopes: z.array(Scope()),
      sessions: Sessions(),
      expiresAt: Time().nullable(),
    })
    .meta({ id: "AccessInfo" }),
);
export type AccessInfo = Infer<typeof AccessInfo>;

export const AuditEntry = lazy(() =>
  z
    .object({
      id: z.string(),
      time: Time(),
      principal: z
        .string()
        .nullable()
        .meta({ description: "Id of the token, as in `GET /v1/access`; null if there was no valid token" }),
      operation: z
        .string()
        .nullable()
        .meta({ description: "Operation id, or method and path for the OpenCode API; null if the path is unknown" }),
      session: z.string().nullable(),
      method: z.string(),
      path: z.string().meta({ description: "Without the query" }),
      address: z.string().meta({ description: "Client address" }),
      status: z.int(),
    })
    .meta({ id: "AuditEntry" }),
);
export type AuditEntry = Infer<typeof AuditEntry>;

export const AuditPage = lazy(() =>
  z
    .object({
      entries: z.array(AuditEntry()),
      nextCursor: z.string().optional().meta({ description: "Pass it as `cursor` to read older entries" }),
    })
    .meta({ id: "AuditPage" }),
);
