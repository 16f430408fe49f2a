/** Files that came inside messages. Agents read files, so they are kept as such until their session is deleted. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { privateDirectoryMode, privateFileMode } from "../store/private-directory.ts";
import type { SessionContext } from "./context.ts";

type Place = Pick<SessionContext, "attachmentsDir">;

export interface IncomingFile {
  bytes: Uint8Array;
  /** As its sender calls it; null when it has no name. */
  name: string | null;
  mime: string | null;
}

/** A path's last part may have 255 bytes, of which the hash takes 65. */
const maxNameCharacters = 150;

/** The path of the file. The same file of a session is always the same path: a message may be sent again. */
export async function keepAttachment(context: Place, sessionNumber: number, file: IncomingFile): Promise<string> {
  const directory = attachmentsOf(context, sessionNumber);
  const hash = new Bun.CryptoHasher("sha256").update(file.bytes).digest("hex");
  const path = join(directory, `${hash}-${safeName(file)}`);
  await mkdir(directory, { recursive: true, mode: privateDirectoryMode });
  await writeFile(path, file.bytes, { mode: privateFileMode });
  return path;
}

export function forgetAttachments(context: Place, sessionNumber: number): Promise<void> {
  return rm(attachmentsOf(context, sessionNumber), { recursive: true, force: true });
}

/** Agents tell what a file is by its ending. */
function safeName({ name, mime }: IncomingFile): string {
  const ending = mime?.match(/^\w+\/([\w.-]+)/)?.[1] ?? "bin";
  return (name || `attachment.${ending}`).replace(/[^\w.-]+/g, "_").slice(-maxNameCharacters);
}

function attachmentsOf({ attachmentsDir }: Place, sessionNumber: number): string {
  return join(attachmentsDir, String(sessionNumber));
}
