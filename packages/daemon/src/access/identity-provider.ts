/** Tokens of an identity provider (`--auth-jwks`): JWTs whose signature is checked with the keys that it publishes. */
import { ProblemError, type Scope, scopes } from "@sandbox-agent/schema";
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from "jose";
import { invalidToken } from "./invalid-token.ts";
import { Lifetimes } from "./lifetimes.ts";
import type { Principal } from "./principal.ts";

export interface IdentityOptions {
  /** Where the keys are. */
  jwks: string;
  /** One of these must be in `aud`. */
  audience: string[];
  issuer: string;
  /** The claim that holds the scopes: a list, or words with spaces between them. */
  scopesClaim: string;
  /** The claim that limits the token to sessions: a list, or words. Without it the token is for all. */
  sessionsClaim: string;
}

/** Only those with a public key: with a symmetric one whoever can check a token could make it. */
const algorithms = [
  "EdDSA",
  "Ed25519",
  "ES256",
  "ES384",
  "ES512",
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
];
const clockToleranceSeconds = 30;
const timeoutMs = 5000;
/** The last moment that a date can be. */
const maxExpirySeconds = 8.64e12;
/** A scope may be written with the name of the project, since providers share one namespace for all their services. */
const prefix = "sandbox-agent:";

export class IdentityProvider {
  readonly #keys;
  readonly #lifetimes = new Lifetimes();

  constructor(private readonly options: IdentityOptions) {
    this.#keys = createRemoteJWKSet(new URL(options.jwks), { timeoutDuration: timeoutMs });
  }

  async verify(token: string): Promise<Principal> {
    const claims = await this.#claimsOf(token);
    const key = new Bun.CryptoHasher("sha256").update(token).digest("hex");
    return this.#lifetimes.principal(key, (claims.exp ?? 0) * 1000, () => ({
      id: `sub:${claims.sub}`,
      kind: "identity",
      scopes: new Set(scopesIn(claims[this.options.scopesClaim])),
      sessions: this.options.sessionsClaim in claims ? new Set(wordsIn(claims[this.options.sessionsClaim])) : null,
    }));
  }

  async #claimsOf(token: string): Promise<JWTPayload> {
    const { audience, issuer, jwks } = this.options;
    try {
      const { payload } = await jwtVerify(token, this.#keys, {
        audience,
        issuer,
        algorithms,
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ["exp", "sub"],
      });
      const { exp = 0, sub } = payload;
      if (exp > maxExpirySeconds) throw invalidToken("the token is not accepted: its exp is no date");
      // It is who the audit log names.
      if (typeof sub !== "string" || sub === "") throw invalidToken("the token is not accepted: its sub is no name");
      return payload;
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      if (error instanceof errors.JWTExpired) throw invalidToken("the token has expired");
      if (error instanceof errors.JWTClaimValidationFailed)
        throw invalidToken(`the token is not accepted: ${error.message}`);
      if (isOfToken(error)) throw invalidToken("the token is wrong");
      const cause = error instanceof Error ? error.message : String(error);
      throw new ProblemError(
        "identity_provider_unavailable",
        `the keys at ${jwks} cannot be read (${cause}); check --auth-jwks, or try again when the identity provider answers`,
      );
    }
  }
}

/** Whether the token is at fault and not the way to the keys. */
function isOfToken(error: unknown): boolean {
  return (
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported
  );
}

function scopesIn(claim: unknown): Scope[] {
  const words = wordsIn(claim).map((word) => (word.startsWith(prefix) ? word.slice(prefix.length) : word));
  return scopes.filter((scope) => words.includes(scope));
}

function wordsIn(claim: unknown): string[] {
  if (typeof claim === "string") return claim.split(/\s+/).filter(Boolean);
  return Array.isArray(claim) ? claim.filter((word): word is string => typeof word === "string") : [];
}
