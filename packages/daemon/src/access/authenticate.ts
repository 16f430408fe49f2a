/** Finds out who sends a request, by its token: Bearer, Token or Basic, in the query where a browser cannot send headers. */
import { ProblemError } from "@sandbox-agent/schema/problem";
import { urlOf } from "../http/request-url.ts";
import type { Lazy } from "../lazy.ts";
import { GuessLimit } from "./guess-limit.ts";
import { invalidToken } from "./invalid-token.ts";
import { open, type Principal, root } from "./principal.ts";
import { issuer } from "./token-issuer.ts";
import { TooManyGuesses } from "./too-many-guesses.ts";

export interface TokenVerifier {
  /** Throws `token_invalid` if it is not valid. */
  verify(token: string): Promise<Principal>;
}

export interface AuthenticationOptions {
  /** The token the daemon was started with. */
  token: string | null;
  signed: Lazy<TokenVerifier>;
  identity: Lazy<TokenVerifier> | null;
}

export interface Sender {
  request: Request;
  address: string;
  /** Browsers cannot give headers to streams and sockets, so those may carry the token in the query. */
  allowQuery: boolean;
}

/** Throws `token_invalid` unless the request carries a token that is known. */
export type Authenticate = (sender: Sender) => Principal | Promise<Principal>;

/** A token this long cannot be guessed, so whoever has it is never made to wait. */
const longTokenCharacters = 32;
/** Of tokens that were right, by their digests. */
const maxAccepted = 10_000;

export function authentication({ token, signed, identity }: AuthenticationOptions): Authenticate {
  if (token === null && !identity) return () => open;
  const expected = token === null ? null : digest(token);
  const limit = new GuessLimit();
  const accepted = new Map<string, Principal>();
  if (token !== null && expected && token.length >= longTokenCharacters) accepted.set(expected.toString("hex"), root);

  function verify(given: string, hash: Buffer): Principal | Promise<Principal> {
    // Digests have one length, so neither the time nor an exception reveals the length of the token.
    if (expected && crypto.timingSafeEqual(hash, expected)) return root;
    const claims = claimsOf(given);
    if (claims === null) throw invalidToken("the token is wrong");
    if (claims.iss === issuer) return signed.get().then((tokens) => tokens.verify(given));
    if (identity) return identity.get().then((provider) => provider.verify(given));
    throw invalidToken("the token is wrong");
  }

  return async ({ request, address, allowQuery }) => {
    const given = fromHeader(request) ?? (allowQuery ? fromQuery(request) : null);
    if (given === null) throw invalidToken("a token is required: send it as `Authorization: Bearer <token>`");
    const hash = digest(given);
    const key = hash.toString("hex");
    const known = accepted.get(key);
    // A signature is checked once. Keys of an identity provider may be withdrawn, so its tokens are checked each time.
    if (known && known.kind !== "identity" && !known.ended?.aborted) return known;
    const wait = known ? 0 : limit.waitSeconds(address);
    if (wait > 0) throw new TooManyGuesses(wait);
    try {
      const principal = await verify(given, hash);
      accepted.set(key, principal);
      if (accepted.size > maxAccepted) accepted.delete(accepted.keys().next().value ?? key);
      return principal;
    } catch (error) {
      if (error instanceof ProblemError && error.kind === "token_invalid") limit.count(address);
      throw error;
    }
  };
}

/** The claims of a JWT, before anything of it is checked; null if it is none. */
function claimsOf(token: string): { iss?: unknown } | null {
  const [header, payload, signature, ...more] = token.split(".");
  if (!header || !payload || !signature || more.length > 0) return null;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    return typeof claims === "object" ? claims : null;
  } catch {
    return null;
  }
}

function fromHeader(request: Request): string | null {
  const [, scheme, value] = request.headers.get("authorization")?.match(/^(\w+)\s+(.+)$/) ?? [];
  if (!scheme || !value) return null;
  switch (scheme.toLowerCase()) {
    case "bearer":
    case "token":
      return value.trim();
    case "basic":
      return passwordIn(value);
    default:
      return null;
  }
}

function fromQuery(request: Request): string | null {
  const { searchParams } = urlOf(request);
  // The latter is the parameter of OpenCode's pages.
  const basic = searchParams.get("auth_token");
  return searchParams.get("access_token") ?? (basic === null ? null : passwordIn(basic));
}

function passwordIn(basic: string): string {
  const decoded = Buffer.from(basic, "base64").toString("utf8");
  return decoded.slice(decoded.indexOf(":") + 1);
}

/** `node:crypto` would load all streams of Node with it. */
function digest(text: string): Buffer {
  return new Bun.CryptoHasher("sha256").update(text).digest();
}
