/**
 * Tokens with scopes and an expiry, signed by this daemon (JWT, EdDSA). A check uses the signature, the expiry and the revoked
 * ids, which are in memory; it does not query the database. The signing key and the list of tokens are in the database.
 */
import type { Database } from "bun:sqlite";
import {
  type CreateTokenRequest,
  type CreateTokenResponse,
  ProblemError,
  Scope,
  scopes,
  type TokenInfo,
} from "@sandbox-agent/schema";
import { type CryptoKey, errors, exportJWK, generateKeyPair, importJWK, type JWK, jwtVerify, SignJWT } from "jose";
import * as z from "zod";
import { guarded } from "../store/database.ts";
import { requireSession } from "./authorize.ts";
import { invalidToken } from "./invalid-token.ts";
import { Lifetimes } from "./lifetimes.ts";
import type { Principal } from "./principal.ts";
import { issuer } from "./token-issuer.ts";

const algorithm = "EdDSA";
const defaultSeconds = 3600;
/** Tokens are listed for this long after their expiry. */
const listedMs = 30 * 24 * 3600 * 1000;

const Claims = z.object({
  jti: z.string(),
  scopes: z.array(Scope()),
  sessions: z.array(z.string()).nullable(),
  exp: z.number(),
});

interface Row {
  id: string;
  name: string | null;
  scopes: string;
  sessions: string | null;
  created_by: string;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
}

export class SignedTokens {
  readonly #lifetimes = new Lifetimes();
  readonly #revoked: Set<string>;

  private constructor(
    private readonly database: Database,
    private readonly key: { privateKey: CryptoKey; publicKey: CryptoKey },
    /** Called with each token that is created or verified, so that it is redacted in events and logs. */
    private readonly onToken: (token: string) => void,
  ) {
    const rows = database.query<{ id: string }, []>("SELECT id FROM tokens WHERE revoked_at IS NOT NULL").all();
    this.#revoked = new Set(rows.map(({ id }) => id));
  }

  static async open(database: Database, onToken: (token: string) => void): Promise<SignedTokens> {
    return new SignedTokens(database, await readKey(database), onToken);
  }

  /** `by` has the scope `admin`, so it may grant every scope. The new token has at most its sessions and expires no later. */
  async create(request: CreateTokenRequest, by: Principal): Promise<CreateTokenResponse> {
    const { name = null, sessions = by.sessions && [...by.sessions], expiresInSeconds = defaultSeconds } = request;
    if (by.sessions && sessions === null)
      throw new ProblemError(
        "permission_denied",
        "this token is limited to some sessions: list those of the new token in `sessions`",
      );
    for (const session of sessions ?? []) requireSession(by, session);
    const createdAt = Math.floor(Date.now() / 1000) * 1000;
    const expiresAt = Math.min(createdAt + expiresInSeconds * 1000, by.expiresAt ?? Number.POSITIVE_INFINITY);
    const id = `tok_${Bun.randomUUIDv7().replaceAll("-", "")}`;
    const granted = scopes.filter((scope) => request.scopes.includes(scope));
    const row = {
      id,
      name,
      scopes: JSON.stringify(granted),
      sessions: sessions && JSON.stringify(sessions),
      created_by: by.id,
      created_at: createdAt,
      expires_at: expiresAt,
    };
    const token = await new SignJWT({ scopes: granted, sessions })
      .setProtectedHeader({ alg: algorithm, typ: "JWT" })
      .setIssuer(issuer)
      .setJti(id)
      .setIssuedAt(createdAt / 1000)
      .setExpirationTime(expiresAt / 1000)
      .sign(this.key.privateKey);
    this.onToken(token);
    guarded(() => {
      this.database.query("DELETE FROM tokens WHERE expires_at < ?").run(Date.now() - listedMs);
      this.database
        .query(
          "INSERT INTO tokens (id, name, scopes, sessions, created_by, created_at, expires_at) VALUES ($id, $name, $scopes, $sessions, $created_by, $created_at, $expires_at)",
        )
        .run(row);
    });
    const { revokedAt: _, ...info } = infoOf({ ...row, revoked_at: null });
    return { ...info, token };
  }

  async verify(token: string): Promise<Principal> {
    const { jti: id, exp, ...claims } = await this.#claimsOf(token);
    this.onToken(token);
    if (this.#revoked.has(id)) throw invalidToken("the token was revoked");
    return this.#lifetimes.principal(id, exp * 1000, () => ({
      id,
      kind: "token",
      scopes: new Set(claims.scopes),
      sessions: claims.sessions && new Set(claims.sessions),
    }));
  }

  list(): TokenInfo[] {
    const rows = guarded(() =>
      this.database
        .query<Row, [number]>("SELECT * FROM tokens WHERE expires_at >= ? ORDER BY created_at DESC, id DESC")
        .all(Date.now() - listedMs),
    );
    return rows.map(infoOf);
  }

  revoke(id: string): void {
    const { changes } = guarded(() =>
      this.database.query("UPDATE tokens SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?").run(Date.now(), id),
    );
    if (changes === 0) throw new ProblemError("not_found", `there is no token "${id}"`);
    this.#revoked.add(id);
    this.#lifetimes.end(id);
  }

  async #claimsOf(token: string): Promise<z.infer<typeof Claims>> {
    try {
      const { payload } = await jwtVerify(token, this.key.publicKey, { algorithms: [algorithm], issuer });
      return Claims.parse(payload);
    } catch (error) {
      throw invalidToken(error instanceof errors.JWTExpired ? "the token has expired" : "the token is wrong");
    }
  }
}

function infoOf(row: Row): TokenInfo {
  const time = (at: number) => new Date(at).toISOString();
  return {
    id: row.id,
    name: row.name,
    scopes: JSON.parse(row.scopes),
    sessions: row.sessions && JSON.parse(row.sessions),
    createdBy: row.created_by,
    createdAt: time(row.created_at),
    expiresAt: time(row.expires_at),
    revokedAt: row.revoked_at === null ? null : time(row.revoked_at),
  };
}

/** Creates the key on first use. */
async function readKey(database: Database): Promise<{ privateKey: CryptoKey; publicKey: CryptoKey }> {
  const stored = guarded(() => database.query<{ jwk: string }, []>("SELECT jwk FROM access_key").get());
  const jwk: JWK = stored ? JSON.parse(stored.jwk) : await makeKey(database);
  const { d: _, ...publicJwk } = jwk;
  const [privateKey, publicKey] = await Promise.all([importJWK(jwk, algorithm), importJWK(publicJwk, algorithm)]);
  return { privateKey: asKey(privateKey), publicKey: asKey(publicKey) };
}

async function makeKey(database: Database): Promise<JWK> {
  const { privateKey } = await generateKeyPair(algorithm, { crv: "Ed25519", extractable: true });
  const jwk = await exportJWK(privateKey);
  guarded(() => database.query("INSERT INTO access_key (jwk) VALUES (?)").run(JSON.stringify(jwk)));
  return jwk;
}

function asKey(key: CryptoKey | Uint8Array): CryptoKey {
  if (key instanceof Uint8Array) throw new Error("the key of signed tokens is not an Ed25519 key");
  return key;
}
