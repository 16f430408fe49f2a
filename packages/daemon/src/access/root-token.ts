/**
 * The token of a daemon that was given none: random, in the file `token` of the data directory, so that it is the same after a
 * restart. Whoever can read that file can run commands as the daemon's user, and nobody but that user can.
 */
import { chmodSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Shorter ones can be guessed. */
export const minTokenCharacters = 16;

/** What can stand in a header as it is. */
export function hasOnlyTokenCharacters(token: string): boolean {
  return /^[\x21-\x7e]*$/.test(token);
}

/** 32 bytes; safe in headers, addresses and shells. */
export function randomToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
}

/** May only be called by the one daemon that has the lock of the directory. */
export function keptToken(dataDir: string): string {
  const file = join(dataDir, "token");
  const kept = read(file);
  if (!kept) return keep(file, randomToken());
  if (kept.length < minTokenCharacters || !hasOnlyTokenCharacters(kept))
    throw new Error(
      `${file} does not hold a token; delete it to have a new one made, or name another with --token-file`,
    );
  // It may have come from a backup, or from a person.
  chmodSync(file, 0o600);
  return kept;
}

/** As a whole or not at all: half a token would lock everybody out at the next start. */
function keep(file: string, token: string): string {
  const unfinished = `${file}.new`;
  writeFileSync(unfinished, `${token}\n`, { mode: 0o600 });
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, file);
  return token;
}

function read(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
