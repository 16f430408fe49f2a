/** The dialog for a new session. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { AgentInfo, CreateSessionRequest } from "sandbox-agent";
import { useClient } from "../app/connection.tsx";
import { failureText } from "../app/failure-text.ts";
import { useStored } from "../app/use-stored.ts";
import { Button, Dialog, Field, Input, Notice, Select, Spinner } from "../design/index.ts";
import { AgentInstall } from "./agent-install.tsx";
import { AgentSettings, noSettings, type Settings } from "./agent-settings.tsx";
import { DirectoryField } from "./directory-field.tsx";
import { type McpEntry, McpFields, mcpOf } from "./mcp-fields.tsx";
import styles from "./sessions.module.css";
import { type SkillEntry, SkillFields, skillsOf } from "./skill-fields.tsx";

export interface CreateSessionProps {
  onClose: () => void;
  onCreated: (sessionId: string) => void;
}

export function CreateSession({ onClose, onCreated }: CreateSessionProps) {
  const client = useClient();
  const queries = useQueryClient();
  const agents = useQuery({ queryKey: ["agents"], queryFn: ({ signal }) => client.listAgents({ signal }) });
  const [chosen, choose] = useStored("agent", "");
  const [title, setTitle] = useState("");
  const [settings, setSettings] = useState<Settings>(noSettings);
  const [directory, setDirectory] = useStored("directory", "");
  const [mcp, setMcp] = useState<McpEntry[]>([]);
  const [skills, setSkills] = useState<SkillEntry[]>([]);

  const list = sorted(agents.data?.agents ?? []);
  const agent = list.find(({ id }) => id === chosen) ?? list[0];
  const create = useMutation({
    mutationFn: async (request: CreateSessionRequest) => (await client.createSession(request)).id,
    onSuccess: (sessionId) => {
      void queries.invalidateQueries({ queryKey: ["sessions"] });
      onCreated(sessionId);
      onClose();
    },
  });

  const submit = () => {
    if (!agent) return;
    create.mutate({
      agent: agent.id,
      permissionMode: settings.permissionMode,
      ...(settings.agentMode && { agentMode: settings.agentMode }),
      ...(settings.model && { model: settings.model }),
      ...(settings.variant && { variant: settings.variant }),
      ...(title.trim() && { title: title.trim() }),
      ...(directory.trim() && { directory: directory.trim() }),
      ...(mcp.length > 0 && { mcp: mcpOf(mcp) }),
      ...(skills.length > 0 && { skills: skillsOf(skills) }),
    });
  };

  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button look="primary" type="submit" form="create-session" disabled={!agent || create.isPending}>
        {create.isPending ? "Starting…" : "Start session"}
      </Button>
    </>
  );
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="New session" footer={footer}>
      <form
        id="create-session"
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {agents.error && <Notice tone="bad">{failureText(agents.error)}</Notice>}
        {!agents.data && !agents.error && <Spinner />}
        {agent && (
          <>
            <Field label="Agent">
              <Select
                value={agent.id}
                options={list.map(agentOption)}
                onChange={(id) => {
                  choose(id);
                  setSettings(noSettings);
                }}
              />
            </Field>
            <Field label="Title">
              <Input value={title} onChange={({ target }) => setTitle(target.value)} placeholder="optional" />
            </Field>
            {!agent.installed && <AgentInstall key={agent.id} agent={agent} />}
            {agent.installed && !agent.credentialsAvailable && (
              <div className={styles.whole}>
                <Notice tone="warn">
                  No credentials found for {agent.name ?? agent.id} on the daemon's machine. Turns may fail.
                </Notice>
              </div>
            )}
            <AgentSettings agent={agent} value={settings} onChange={setSettings} />
            <DirectoryField value={directory} onChange={setDirectory} />
            <McpFields value={mcp} onChange={setMcp} />
            <SkillFields value={skills} onChange={setSkills} />
          </>
        )}
        {create.error && (
          <div className={styles.whole}>
            <Notice tone="bad">{failureText(create.error)}</Notice>
          </div>
        )}
      </form>
    </Dialog>
  );
}

/** Agents that are ready to use come first; otherwise the order of the daemon is kept. */
function sorted(agents: AgentInfo[]): AgentInfo[] {
  const rank = ({ installed, credentialsAvailable }: AgentInfo) => (installed ? (credentialsAvailable ? 0 : 1) : 2);
  return agents.toSorted((a, b) => rank(a) - rank(b));
}

function agentOption({ id, name, installed, version }: AgentInfo) {
  const state = installed ? (version ?? "") : "not installed";
  return { value: id, label: [name ?? id, state].filter(Boolean).join(" · ") };
}
