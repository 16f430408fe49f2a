/** Validates the token of a daemon that is about to start. */
import { hasOnlyTokenCharacters, minTokenCharacters } from "@sandbox-agent/daemon/root-token";
import type { Command } from "commander";
import { usageError } from "../failure.ts";
import { isLoopback } from "../loopback.ts";
import { warn } from "../server-output.ts";
import { emptyToken, givenToken, tokenVariable } from "./given-token.ts";

/** Null: no token (`--no-token`); undefined: the daemon creates one. */
export type ServerToken = string | null | undefined;

export function givenServerToken(command: Command): ServerToken {
  const token = givenToken(command);
  if (token === undefined && process.env[tokenVariable] === "") throw emptyToken(tokenVariable);
  if (token && !hasOnlyTokenCharacters(token))
    throw usageError("the token has characters that cannot be sent in a header; use letters, digits and punctuation");
  return token;
}

/** Throws if it is too short for a server on this host; on loopback it only warns. */
export function checkTokenLength(token: ServerToken, host: string): void {
  if (!token || token.length >= minTokenCharacters) return;
  const short = `the token has only ${token.length} characters and can be guessed; use at least ${minTokenCharacters}, or omit it to let the server create one`;
  if (!isLoopback(host)) throw usageError(short);
  warn(short);
}
