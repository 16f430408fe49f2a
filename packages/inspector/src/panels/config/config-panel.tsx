/** MCP servers and skills of directories, which can be edited, and those the session was created with. */
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Allowed } from "../../app/access.tsx";
import { useClient } from "../../app/connection.tsx";
import { useSession } from "../../app/session-context.tsx";
import { Badge, Button, Select } from "../../design/index.ts";
import { Failure, Panel, PanelBody, panelStyles } from "../frame/panel.tsx";
import { useAction } from "../frame/use-action.ts";
import styles from "./config.module.css";
import { ConfigRow } from "./config-row.tsx";
import { lineOf } from "./mcp-draft.ts";
import { type McpEntry, McpForm } from "./mcp-form.tsx";
import { type SkillsEntry, SkillsForm } from "./skills-form.tsx";

export default function ConfigPanel() {
  const { info } = useSession();
  const own = info?.directory ?? null;
  const [showsAll, setShowsAll] = useState(false);
  const directory = showsAll ? null : own;
  const scopes = [
    ...(own === null ? [] : [{ value: "own", label: `Directory ${own}` }]),
    { value: "all", label: "All directories" },
  ];
  const toolbar = (
    <Select
      aria-label="Directory"
      value={directory === null ? "all" : "own"}
      options={scopes}
      onChange={(scope) => setShowsAll(scope === "all")}
    />
  );
  return (
    <Panel toolbar={toolbar}>
      <PanelBody padded>
        <McpServers directory={directory} suggestion={own ?? ""} />
        <Skills directory={directory} suggestion={own ?? ""} />
        {info && <SessionConfig />}
      </PanelBody>
    </Panel>
  );
}

interface SectionProps {
  /** Null for all directories. */
  directory: string | null;
  /** The default directory of a new entry. */
  suggestion: string;
}

function McpServers({ directory, suggestion }: SectionProps) {
  const client = useClient();
  const [editing, edit] = useState<McpEntry | null>(null);
  const action = useAction(["mcp config"]);
  const { data, error } = useQuery({
    queryKey: ["mcp config", directory],
    queryFn: ({ signal }) => client.listMcpConfig(directory === null ? {} : { directory }, { signal }),
  });
  return (
    <section aria-label="MCP servers">
      <div className={styles.head}>
        <h3>MCP servers</h3>
        <Allowed scope="admin">
          <Button small onClick={() => edit({ directory: suggestion, name: "", config: null })}>
            <Plus /> Add server
          </Button>
        </Allowed>
      </div>
      <Failure error={action.error ?? error} />
      <ul className={styles.list}>
        {data?.servers.map((entry) => (
          <ConfigRow
            key={`${entry.directory}\n${entry.name}`}
            name={entry.name}
            text={lineOf(entry.config)}
            directory={directory === null ? entry.directory : null}
            isOff={entry.config.enabled === false}
            onEdit={() => edit(entry)}
            onRemove={() =>
              action.run(() => client.deleteMcpConfig({ directory: entry.directory, mcp_name: entry.name }))
            }
          />
        ))}
      </ul>
      {data?.servers.length === 0 && <p className={styles.none}>None configured.</p>}
      {editing && <McpForm entry={editing} onClose={() => edit(null)} />}
    </section>
  );
}

function Skills({ directory, suggestion }: SectionProps) {
  const client = useClient();
  const [editing, edit] = useState<SkillsEntry | null>(null);
  const action = useAction(["skills config"]);
  const { data, error } = useQuery({
    queryKey: ["skills config", directory],
    queryFn: ({ signal }) => client.listSkillsConfig(directory === null ? {} : { directory }, { signal }),
  });
  return (
    <section aria-label="Skills">
      <div className={styles.head}>
        <h3>Skills</h3>
        <Allowed scope="admin">
          <Button small onClick={() => edit({ directory: suggestion, name: "", sources: [] })}>
            <Plus /> Add skills
          </Button>
        </Allowed>
      </div>
      <Failure error={action.error ?? error} />
      <ul className={styles.list}>
        {data?.skills.map(({ directory: place, name, config }) => (
          <ConfigRow
            key={`${place}\n${name}`}
            name={name}
            text={config.sources.map(({ source }) => source).join(", ")}
            directory={directory === null ? place : null}
            isOff={false}
            onEdit={() => edit({ directory: place, name, sources: config.sources })}
            onRemove={() => action.run(() => client.deleteSkillsConfig({ directory: place, skill_name: name }))}
          />
        ))}
      </ul>
      {data?.skills.length === 0 && <p className={styles.none}>None configured.</p>}
      {editing && <SkillsForm entry={editing} onClose={() => edit(null)} />}
    </section>
  );
}

/** Set when the session was created. Overrides the configuration of the directory. */
function SessionConfig() {
  const { info } = useSession();
  const servers = Object.entries(info?.mcp ?? {});
  const sources = info?.skills?.sources ?? [];
  return (
    <section aria-label="This session">
      <div className={styles.head}>
        <h3>This session</h3>
      </div>
      <ul className={styles.list}>
        {servers.map(([name, config]) => (
          <li key={name} className={styles.row}>
            <Badge tone="accent">MCP</Badge>
            <strong>{name}</strong>
            <span className={`${panelStyles.text} ${panelStyles.mono}`}>{lineOf(config)}</span>
          </li>
        ))}
        {sources.map(({ type, source }) => (
          <li key={`${type} ${source}`} className={styles.row}>
            <Badge>skills</Badge>
            <span className={`${panelStyles.text} ${panelStyles.mono}`}>{source}</span>
          </li>
        ))}
      </ul>
      {servers.length + sources.length === 0 && <p className={styles.none}>Created without MCP servers or skills.</p>}
    </section>
  );
}
