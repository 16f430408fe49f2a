/** Adds or edits an MCP server of a directory. */
import { type FormEvent, useState } from "react";
import type { McpServerConfig } from "sandbox-agent";
import { useClient } from "../../app/connection.tsx";
import { Button, Dialog, Field, Input, Select, TextArea } from "../../design/index.ts";
import { Failure, panelStyles } from "../frame/panel.tsx";
import { useAction } from "../frame/use-action.ts";
import { configOf, draftOf, emptyDraft, type McpDraft } from "./mcp-draft.ts";

export interface McpEntry {
  directory: string;
  name: string;
  /** Null for a new entry. */
  config: McpServerConfig | null;
}

const types = [
  { value: "local", label: "Local: a command on the daemon's machine" },
  { value: "remote", label: "Remote: a URL" },
];

export function McpForm({ entry, onClose }: { entry: McpEntry; onClose(): void }) {
  const client = useClient();
  const action = useAction(["mcp config"]);
  const [name, setName] = useState(entry.name);
  const [directory, setDirectory] = useState(entry.directory);
  const [draft, setDraft] = useState(entry.config ? draftOf(entry.config) : emptyDraft);
  const change = (part: Partial<McpDraft>) => setDraft({ ...draft, ...part });
  const isNew = entry.config === null;

  const save = (event: FormEvent) => {
    event.preventDefault();
    action.run(async () => {
      await client.setMcpConfig({ directory, mcp_name: name }, configOf(draft, entry.config));
      onClose();
    });
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={isNew ? "Add MCP server" : `MCP server ${entry.name}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form="mcp" disabled={action.busy}>
            Save
          </Button>
        </>
      }
    >
      <form id="mcp" className={panelStyles.form} onSubmit={save}>
        <Failure error={action.error} />
        <Field label="Name">
          <Input value={name} required disabled={!isNew} onChange={({ target }) => setName(target.value)} />
        </Field>
        <Field label="Directory" hint="All sessions in this directory use the server">
          <Input value={directory} required disabled={!isNew} onChange={({ target }) => setDirectory(target.value)} />
        </Field>
        <Field label="Type">
          <Select
            value={draft.type}
            options={types}
            onChange={(type) => change({ type: type === "remote" ? "remote" : "local" })}
          />
        </Field>
        {draft.type === "local" ? (
          <LocalFields draft={draft} change={change} />
        ) : (
          <RemoteFields draft={draft} change={change} />
        )}
        <label className={panelStyles.check}>
          <input
            type="checkbox"
            checked={draft.enabled}
            onChange={({ target }) => change({ enabled: target.checked })}
          />
          Enabled
        </label>
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  draft: McpDraft;
  change(part: Partial<McpDraft>): void;
}

function LocalFields({ draft, change }: FieldsProps) {
  return (
    <>
      <Field label="Command">
        <Input value={draft.command} required onChange={({ target }) => change({ command: target.value })} />
      </Field>
      <Field label="Arguments" hint="One per line">
        <TextArea rows={3} value={draft.args} onChange={({ target }) => change({ args: target.value })} />
      </Field>
      <Field label="Environment" hint="NAME=value, one per line">
        <TextArea rows={2} value={draft.env} onChange={({ target }) => change({ env: target.value })} />
      </Field>
    </>
  );
}

function RemoteFields({ draft, change }: FieldsProps) {
  return (
    <>
      <Field label="URL">
        <Input type="url" value={draft.url} required onChange={({ target }) => change({ url: target.value })} />
      </Field>
      <Field label="Headers" hint="Name: value, one per line">
        <TextArea rows={2} value={draft.headers} onChange={({ target }) => change({ headers: target.value })} />
      </Field>
    </>
  );
}
