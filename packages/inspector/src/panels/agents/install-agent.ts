/** Installs an agent and reports progress, which arrives on the stream of all events. */
import type { InstallProgressEvent, InstallRequest, SandboxAgent } from "sandbox-agent";

export type InstallProgress = InstallProgressEvent["data"];

export async function installAgent(
  client: SandboxAgent,
  agent: string,
  request: InstallRequest,
  onProgress: (progress: InstallProgress) => void,
): Promise<void> {
  const stop = new AbortController();
  const following = followProgress(client, agent, onProgress, stop.signal);
  try {
    await client.installAgent(agent, request);
  } finally {
    stop.abort();
    await following;
  }
}

/** Errors are ignored: the installation continues without progress. */
async function followProgress(
  client: SandboxAgent,
  agent: string,
  onProgress: (progress: InstallProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    const frames = client.api.events<"streamAllEvents", { type: string }>("streamAllEvents", { signal });
    for await (const event of frames) {
      if (isProgress(event) && event.data.agent === agent) onProgress(event.data);
    }
  } catch {
    return;
  }
}

function isProgress(event: { type: string }): event is InstallProgressEvent {
  return event.type === "install.progress";
}
