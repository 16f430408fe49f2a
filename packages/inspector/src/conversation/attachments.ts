/** Attachments of a message. They are uploaded to the daemon's machine first, because agents read them from there. */
import type { Attachment, SandboxAgent } from "sandbox-agent";

/** Relative to the fs root or the home directory of the daemon, outside of the project. */
const uploadDirectory = ".cache/sandbox-agent/uploads";

export async function uploadAttachment(client: SandboxAgent, file: File): Promise<Attachment> {
  const name = file.name.replaceAll("/", "_") || "pasted";
  const key = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
  const { path } = await client.writeFsFile({ path: `${uploadDirectory}/${key}/${name}` }, file);
  return { path, filename: name, ...(file.type && { mime: file.type }) };
}
