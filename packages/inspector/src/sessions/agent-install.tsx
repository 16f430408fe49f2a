/** Installs an agent, and shows how far it is. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { AgentInfo, SandboxAgent } from "sandbox-agent";
import { useClient } from "../app/connection.tsx";
import { failureText } from "../app/failure-text.ts";
import { Button, Notice } from "../design/index.ts";
import styles from "./sessions.module.css";

interface Progress {
  message: string;
  fraction: number | null;
}

export function AgentInstall({ agent }: { agent: AgentInfo }) {
  const client = useClient();
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Progress | null>(null);
  const install = useMutation({
    mutationFn: () => client.installAgent(agent.id),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["agents"] }),
  });

  useEffect(() => {
    if (!install.isPending) return;
    const watching = new AbortController();
    void watchInstall(client, agent.id, watching.signal, setProgress);
    return () => watching.abort();
  }, [client, agent.id, install.isPending]);

  return (
    <div className={styles.whole}>
      <Notice>
        <div className={styles.install}>
          {install.isPending ? (
            <>
              <progress aria-label={`Installing ${agent.name ?? agent.id}`} {...progressValue(progress)} />
              <span role="status">{progress?.message ?? "Installing…"}</span>
            </>
          ) : (
            <>
              <span>{agent.name ?? agent.id} is not installed yet. Starting a session installs it too.</span>
              <Button small onClick={() => install.mutate()}>
                Install now
              </Button>
            </>
          )}
        </div>
      </Notice>
      {install.error && <Notice tone="bad">{failureText(install.error)}</Notice>}
    </div>
  );
}

/** Without a value the bar shows that something happens, but not how much. */
function progressValue(progress: Progress | null): { value?: number } {
  return progress?.fraction == null ? {} : { value: progress.fraction };
}

async function watchInstall(
  client: SandboxAgent,
  agent: string,
  signal: AbortSignal,
  tell: (progress: Progress) => void,
): Promise<void> {
  try {
    for await (const { data } of client.api.frames("streamAllEvents", { signal })) {
      const progress = installProgress(JSON.parse(data), agent);
      if (progress) tell(progress);
    }
  } catch {
    // The answer to the installation itself tells how it went.
  }
}

function installProgress(event: unknown, agent: string): Progress | null {
  if (!isRecord(event) || event.type !== "install.progress" || !isRecord(event.data)) return null;
  const { agent: installed, message, fraction } = event.data;
  if (installed !== agent || typeof message !== "string") return null;
  return { message, fraction: typeof fraction === "number" ? fraction : null };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
