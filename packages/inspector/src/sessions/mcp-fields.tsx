/** MCP servers of a new session: commands or URLs. */
import { Plus, Trash2 } from "lucide-react";
import type { McpServerConfig } from "sandbox-agent";
import { Button, IconButton, Input, Select } from "../design/index.ts";
import styles from "./sessions.module.css";

export interface McpEntry {
  key: string;
  name: string;
  kind: string;
  /** A command line or a URL. */
  target: string;
}

const kinds = [
  { value: "stdio", label: "Command" },
  { value: "http", label: "URL" },
];

export function McpFields({ value, onChange }: { value: McpEntry[]; onChange: (entries: McpEntry[]) => void }) {
  const change = (key: string, part: Partial<McpEntry>) =>
    onChange(value.map((entry) => (entry.key === key ? { ...entry, ...part } : entry)));
  const add = () => onChange([...value, { key: String(Math.random()), name: "", kind: "stdio", target: "" }]);
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>
        MCP servers
        <Button small look="ghost" onClick={add} aria-label="Add MCP server">
          <Plus /> Add
        </Button>
      </legend>
      <div className={styles.entries}>
        {value.map(({ key, name, kind, target }) => (
          <div className={styles.entry} key={key}>
            <Input
              aria-label="MCP server name"
              placeholder="name"
              value={name}
              required
              onChange={(event) => change(key, { name: event.target.value })}
            />
            <Select
              aria-label="MCP server type"
              value={kind}
              options={kinds}
              onChange={(next) => change(key, { kind: next })}
            />
            <Input
              aria-label={kind === "stdio" ? "Command" : "URL"}
              placeholder={kind === "stdio" ? "npx some-server" : "https://…"}
              value={target}
              required
              spellCheck={false}
              onChange={(event) => change(key, { target: event.target.value })}
            />
            <IconButton label="Remove" onClick={() => onChange(value.filter((entry) => entry.key !== key))}>
              <Trash2 />
            </IconButton>
          </div>
        ))}
      </div>
    </fieldset>
  );
}

/** A command is split at spaces. For arguments with spaces, use the configuration of the directory. */
export function mcpOf(entries: McpEntry[]): Record<string, McpServerConfig> {
  return Object.fromEntries(
    entries.map(({ name, kind, target }): [string, McpServerConfig] => [
      name.trim(),
      kind === "stdio" ? { type: "stdio", command: target.trim().split(/\s+/) } : { type: "http", url: target.trim() },
    ]),
  );
}
