/** Uploads files into a directory. */
import { type SandboxAgent, SandboxAgentError } from "sandbox-agent";
import { joinPath } from "./tree-rows.ts";

/** Without `replace`, existing files are skipped and returned. */
export async function uploadFiles(
  client: SandboxAgent,
  directory: string,
  files: readonly File[],
  replace: boolean,
): Promise<File[]> {
  const existing: File[] = [];
  for (const file of files) {
    const place = { path: joinPath(directory, file.name) };
    try {
      await client.writeFsFile(place, file, replace ? {} : { headers: { "if-none-match": "*" } });
    } catch (error) {
      if (!(error instanceof SandboxAgentError) || error.kind !== "precondition_failed") throw error;
      existing.push(file);
    }
  }
  return existing;
}
