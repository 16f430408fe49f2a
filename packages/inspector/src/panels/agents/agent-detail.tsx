/** Details of an agent: source, credentials, installation, modes and models. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import type { AgentInfo } from "sandbox-agent";
import { Allowed } from "../../app/access.tsx";
import { useClient } from "../../app/connection.tsx";
import { Badge, Button, Spinner } from "../../design/index.ts";
import { Failure, panelStyles } from "../frame/panel.tsx";
import { useAction } from "../frame/use-action.ts";
import styles from "./agents.module.css";
import { type InstallProgress, installAgent } from "./install-agent.ts";

export function AgentDetail({ agent }: { agent: AgentInfo }) {
  const { id, source, installed, version, path, credentialsAvailable, serverStatus, capabilities } = agent;
  const supported = Object.entries(capabilities).flatMap(([name, has]) => (has ? [name] : []));
  return (
    <div className={panelStyles.padded}>
      <dl className={panelStyles.facts}>
        <dt>Id</dt>
        <dd>{id}</dd>
        <dt>Source</dt>
        <dd>{source}</dd>
        <dt>Version</dt>
        <dd>{version ?? (installed ? "unknown" : "not installed")}</dd>
        {path && (
          <>
            <dt>Program</dt>
            <dd className={panelStyles.mono}>{path}</dd>
          </>
        )}
        <dt>Credentials</dt>
        <dd>
          {credentialsAvailable
            ? "found"
            : "not found; set an API key in the daemon's environment, or pass one when you create a session"}
        </dd>
        {serverStatus && (
          <>
            <dt>Server</dt>
            <dd>
              {serverStatus.status}, {serverStatus.restartCount} restarts {serverStatus.lastError}
            </dd>
          </>
        )}
      </dl>
      <Allowed scope="admin">
        <Install agent={agent} />
      </Allowed>
      <section>
        <h4 className={styles.heading}>Capabilities</h4>
        <p className={styles.badges}>
          {supported.map((name) => (
            <Badge key={name}>{name}</Badge>
          ))}
        </p>
      </section>
      {installed && <ModesAndModels id={id} />}
    </div>
  );
}

function Install({ agent: { id, installed, source } }: { agent: AgentInfo }) {
  const client = useClient();
  const queries = useQueryClient();
  const action = useAction(["agents"]);
  const [progress, setProgress] = useState<InstallProgress | null>(null);
  if (source === "builtin" && id === "mock") return null;
  const install = () =>
    action.run(async () => {
      try {
        await installAgent(client, id, installed ? { reinstall: true } : {}, setProgress);
        await queries.invalidateQueries({ queryKey: ["agent modes and models", id] });
      } finally {
        setProgress(null);
      }
    });
  return (
    <div className={styles.install}>
      <Button small look={installed ? "plain" : "primary"} disabled={action.busy} onClick={install}>
        <Download /> {installed ? "Reinstall" : "Install"}
      </Button>
      {action.busy && (
        <div role="status" className={styles.progress}>
          <progress value={progress?.fraction} aria-label={`Installing ${id}`} />
          <span>{progress?.message ?? "Starting…"}</span>
        </div>
      )}
      <Failure error={action.error} />
    </div>
  );
}

/** Listing the models may start the agent, so it is done only when the details are open. */
function ModesAndModels({ id }: { id: string }) {
  const client = useClient();
  const { data, error, isPending } = useQuery({
    queryKey: ["agent modes and models", id],
    queryFn: async ({ signal }) => {
      const [{ modes }, { models, defaultModel }] = await Promise.all([
        client.getAgentModes(id, { signal }),
        client.getAgentModels(id, { signal }),
      ]);
      return { modes, models, defaultModel };
    },
    staleTime: 60_000,
  });
  if (isPending) return <Spinner label="Loading modes and models" />;
  if (error) return <Failure error={error} />;
  return (
    <>
      <section>
        <h4 className={styles.heading}>Modes</h4>
        <dl className={panelStyles.facts}>
          {data.modes.map(({ id, name, description }) => [
            <dt key={`${id} name`}>{name}</dt>,
            <dd key={id}>{description}</dd>,
          ])}
        </dl>
      </section>
      <section>
        <h4 className={styles.heading}>Models</h4>
        <ul className={styles.models}>
          {data.models.map(({ id, name, variants = [] }) => (
            <li key={id}>
              <span className={panelStyles.mono}>{id}</span> {name !== id && name}
              {id === data.defaultModel && <Badge tone="accent">default</Badge>}
              {variants.map((variant) => (
                <Badge key={variant}>{variant}</Badge>
              ))}
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
