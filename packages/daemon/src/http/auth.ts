/** The token check: Bearer, Token or Basic, compared in constant time. */
import { ProblemError } from "@sandbox-agent/schema/problem";
import { urlOf } from "./request-url.ts";

export type TokenCheck = (request: Request, options: { allowQuery: boolean }) => void;

/** Throws unless the request carries the token. Browsers cannot give headers to streams, so those may use the query. */
export function tokenCheck(token: string | null): TokenCheck {
  if (token === null) return () => {};
  const expected = digest(token);
  return (request, { allowQuery }) => {
    const given = fromHeader(request) ?? (allowQuery ? fromQuery(request) : null);
    if (given === null) throw invalid("a token is required: send it as `Authorization: Bearer <token>`");
    // Digests have one length, so neither the time nor an exception tells the length of the token.
    if (!crypto.timingSafeEqual(digest(given), expected)) throw invalid("the token is wrong");
  };
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
  // The latter is how pages of OpenCode say it.
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

function invalid(message: string): ProblemError {
  return new ProblemError("token_invalid", message, { details: { message } });
}
