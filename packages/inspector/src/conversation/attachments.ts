/** Files that go along with a message. They are put on the daemon's machine first, since agents read them there. */
import type { Attachment, SandboxAgent } from "sandbox-agent";

/** Below the fs root or the home directory of the daemon: not in the project, where an agent would find it in the way. */
const place = ".cache/sandbox-agent/uploads";

export async function uploadAttachment(client: SandboxAgent, file: File): Promise<Attachment> {
  const name = file.name.replaceAll("/", "_") || "pasted";
  const key = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
  const { path } = await client.writeFsFile({ path: `${place}/${key}/${name}` }, file);
  return { path, filename: name, ...(file.type && { mime: file.type }) };
}
