/** Installs an agent and shows its progress. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { AgentInfo } from "sandbox-agent";
import { useHasScope } from "../app/access.tsx";
import { useClient } from "../app/connection.tsx";
import { failureText } from "../app/failure-text.ts";
import { Button, Notice } from "../design/index.ts";
import { type InstallProgress, installAgent } from "../panels/agents/install-agent.ts";
import styles from "./sessions.module.css";

export function AgentInstall({ agent }: { agent: AgentInfo }) {
  const client = useClient();
  const queries = useQueryClient();
  const [progress, setProgress] = useState<InstallProgress | null>(null);
  const mayInstall = useHasScope("admin");
  const install = useMutation({
    mutationFn: () => installAgent(client, agent.id, {}, setProgress),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["agents"] }),
  });

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
              <span>{agent.name ?? agent.id} is not installed. It is installed when you start the session.</span>
              <Button small disabled={!mayInstall} onClick={() => install.mutate()}>
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

/** Without a value the progress bar is indeterminate. */
function progressValue(progress: InstallProgress | null): { value?: number } {
  return progress?.fraction === undefined ? {} : { value: progress.fraction };
}
