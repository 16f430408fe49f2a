/** Installs an agent and tells of its progress, which comes on the stream of all events. */
import type { InstallProgressEvent, InstallRequest, SandboxAgent } from "sandbox-agent";

export type InstallProgress = InstallProgressEvent["data"];

export async function installAgent(
  client: SandboxAgent,
  agent: string,
  request: InstallRequest,
  onProgress: (progress: InstallProgress) => void,
): Promise<void> {
  const listening = new AbortController();
  const heard = listen(client, agent, onProgress, listening.signal);
  try {
    await client.installAgent(agent, request);
  } finally {
    listening.abort();
    await heard;
  }
}

/** Progress is for looking at: if it cannot be heard, the installation goes on. */
async function listen(
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
