/** Files sent inside messages. Agents read them from disk, so they are stored as files until their session is deleted. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { privateDirectoryMode, privateFileMode } from "../store/private-directory.ts";
import type { SessionContext } from "./context.ts";

type AttachmentsContext = Pick<SessionContext, "attachmentsDir">;

export interface IncomingFile {
  bytes: Uint8Array;
  /** The name the client gave it, or null. */
  name: string | null;
  mime: string | null;
}

/** A file name has at most 255 bytes, of which the hash and its dash take 65. */
const maxNameCharacters = 150;

/** Returns the path of the file. The same file in the same session always has the same path, because a message may be sent twice. */
export async function keepAttachment(
  context: AttachmentsContext,
  sessionNumber: number,
  file: IncomingFile,
): Promise<string> {
  const directory = attachmentsOf(context, sessionNumber);
  const hash = new Bun.CryptoHasher("sha256").update(file.bytes).digest("hex");
  const path = join(directory, `${hash}-${safeName(file)}`);
  await mkdir(directory, { recursive: true, mode: privateDirectoryMode });
  await writeFile(path, file.bytes, { mode: privateFileMode });
  return path;
}

export function forgetAttachments(context: AttachmentsContext, sessionNumber: number): Promise<void> {
  return rm(attachmentsOf(context, sessionNumber), { recursive: true, force: true });
}

/** Agents recognize the type of a file by its extension. */
function safeName({ name, mime }: IncomingFile): string {
  const extension = mime?.match(/^\w+\/([\w.-]+)/)?.[1] ?? "bin";
  return (name || `attachment.${extension}`).replace(/[^\w.-]+/g, "_").slice(-maxNameCharacters);
}

function attachmentsOf({ attachmentsDir }: AttachmentsContext, sessionNumber: number): string {
  return join(attachmentsDir, String(sessionNumber));
}
