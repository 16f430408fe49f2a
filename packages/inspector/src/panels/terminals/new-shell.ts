/** Starts a shell on a terminal: bash, or sh on a machine without it. */
import { type CreateProcessRequest, type ProcessInfo, type SandboxAgent, SandboxAgentError } from "sandbox-agent";

export async function startShell(client: SandboxAgent, directory: string | null): Promise<ProcessInfo> {
  const request: CreateProcessRequest = { command: "bash", tty: true, ...(directory !== null && { cwd: directory }) };
  try {
    return await client.createProcess(request);
  } catch (error) {
    if (!(error instanceof SandboxAgentError) || error.kind !== "process_not_started") throw error;
    return client.createProcess({ ...request, command: "sh" });
  }
}
