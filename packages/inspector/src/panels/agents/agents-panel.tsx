/** The agents of the daemon: installed or not, credentials, capabilities, models and modes. */
import { useQuery } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import type { AgentInfo } from "sandbox-agent";
import { Allowed } from "../../app/access.tsx";
import { useClient } from "../../app/connection.tsx";
import { Button, Input, Select, Spinner } from "../../design/index.ts";
import { Detail, Failure, Panel, panelStyles, Split } from "../frame/panel.tsx";
import { useAction } from "../frame/use-action.ts";
import { AgentDetail } from "./agent-detail.tsx";
import { AgentRow } from "./agent-row.tsx";
import styles from "./agents.module.css";
import { CapabilityMatrix } from "./capability-matrix.tsx";

const views = [
  { value: "list", label: "List" },
  { value: "matrix", label: "Capabilities" },
];

export default function AgentsPanel() {
  const client = useClient();
  const [view, setView] = useState("list");
  const [search, setSearch] = useState("");
  const [selected, select] = useState<string | null>(null);
  const { data, error, isPending } = useQuery({
    queryKey: ["agents"],
    queryFn: ({ signal }) => client.listAgents({ signal }),
  });
  const action = useAction(["agents"]);
  const agents = (data?.agents ?? []).filter((agent) => matches(agent, search)).toSorted(byReadiness);
  const chosen = data?.agents.find(({ id }) => id === selected);

  const toolbar = (
    <>
      <Input
        className={panelStyles.grow}
        type="search"
        placeholder="Filter agents"
        aria-label="Filter agents"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <Select aria-label="View" value={view} options={views} onChange={setView} />
      <Allowed scope="admin">
        <Button small disabled={action.busy} onClick={() => action.run(() => client.refreshAgentRegistry())}>
          <RefreshCw /> Refresh registry
        </Button>
      </Allowed>
    </>
  );

  return (
    <Panel toolbar={toolbar}>
      <Failure error={action.error ?? error} />
      {isPending && <Spinner />}
      <Split>
        {view === "matrix" ? (
          <CapabilityMatrix agents={agents} />
        ) : (
          <ul className={styles.list} aria-label="Agents">
            {agents.map((agent) => (
              <li key={agent.id}>
                <AgentRow agent={agent} isSelected={agent.id === selected} onSelect={() => select(agent.id)} />
              </li>
            ))}
          </ul>
        )}
        {chosen && view === "list" && (
          <Detail title={chosen.name ?? chosen.id} onClose={() => select(null)}>
            <AgentDetail key={chosen.id} agent={chosen} />
          </Detail>
        )}
      </Split>
    </Panel>
  );
}

function matches({ id, name = "" }: AgentInfo, search: string): boolean {
  return `${id} ${name}`.toLowerCase().includes(search.trim().toLowerCase());
}

/** Installed agents first, then built-in ones, then by id. */
function byReadiness(a: AgentInfo, b: AgentInfo): number {
  const rank = ({ installed, source }: AgentInfo) => (installed ? 0 : 2) + (source === "registry" ? 1 : 0);
  return rank(a) - rank(b) || a.id.localeCompare(b.id);
}
