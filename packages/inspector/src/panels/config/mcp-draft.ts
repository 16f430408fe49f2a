/** Converts an MCP server to a form and back. Settings that the form does not show are kept. */
import type { McpServerConfig } from "sandbox-agent";

export interface McpDraft {
  type: "local" | "remote";
  command: string;
  /** One per line. */
  args: string;
  /** `NAME=value`, one per line. */
  env: string;
  url: string;
  /** `Name: value`, one per line. */
  headers: string;
  enabled: boolean;
}

export const emptyDraft: McpDraft = {
  type: "local",
  command: "",
  args: "",
  env: "",
  url: "",
  headers: "",
  enabled: true,
};

export function draftOf(config: McpServerConfig): McpDraft {
  const enabled = config.enabled ?? true;
  if (!("command" in config)) {
    return { ...emptyDraft, type: "remote", url: config.url, headers: linesOf(config.headers, ": "), enabled };
  }
  const [command = "", ...first] = [config.command].flat();
  const args = [...first, ...(config.args ?? [])].join("\n");
  return { ...emptyDraft, command, args, env: linesOf(config.env ?? config.environment, "="), enabled };
}

export function configOf(draft: McpDraft, before: McpServerConfig | null): McpServerConfig {
  const { command, url, enabled } = draft;
  if (draft.type === "remote") {
    const rest = before && "url" in before ? before : {};
    return { ...rest, type: "remote", url, headers: pairsIn(draft.headers, ":"), enabled };
  }
  const { environment: _, ...rest } = before && "command" in before ? before : { environment: {} };
  const args = draft.args.split("\n").filter((line) => line !== "");
  return { ...rest, type: "local", command, args, env: pairsIn(draft.env, "="), enabled };
}

/** The command or URL of an MCP server, in one line. */
export function lineOf(config: McpServerConfig): string {
  return "command" in config ? [config.command, config.args ?? []].flat().join(" ") : config.url;
}

function linesOf(pairs: Record<string, string> = {}, separator: string): string {
  return Object.entries(pairs)
    .map(([name, value]) => name + separator + value)
    .join("\n");
}

function pairsIn(lines: string, separator: string): Record<string, string> {
  const pairs = lines.split("\n").flatMap((line) => {
    const at = line.indexOf(separator);
    const name = line.slice(0, at).trim();
    const value = line.slice(at + 1);
    return at < 1 ? [] : [[name, separator === ":" ? value.trim() : value] as const];
  });
  return Object.fromEntries(pairs);
}
