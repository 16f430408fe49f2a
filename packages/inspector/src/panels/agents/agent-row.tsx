/** One agent in the list. */
import type { AgentInfo } from "sandbox-agent";
import { Badge } from "../../design/index.ts";
import { panelStyles } from "../frame/panel.tsx";

export function AgentRow({ agent, isSelected, onSelect }: { agent: AgentInfo; isSelected: boolean; onSelect(): void }) {
  const { id, name, version, installed, credentialsAvailable, source } = agent;
  return (
    <button type="button" className={panelStyles.row} aria-current={isSelected} onClick={onSelect}>
      <span className={panelStyles.dot} data-tone={installed ? "ok" : "plain"} />
      <span className={panelStyles.text}>
        <strong>{name ?? id}</strong>{" "}
        <span className={panelStyles.faint}>{version ?? (name === undefined || name === id ? "" : id)}</span>
      </span>
      {source !== "builtin" && <span className={panelStyles.faint}>{source}</span>}
      {installed && !credentialsAvailable && <Badge tone="warn">no credentials</Badge>}
      {installed && <Badge tone="ok">installed</Badge>}
    </button>
  );
}
