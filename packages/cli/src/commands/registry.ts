/** `registry refresh`: the public registry of agents that speak ACP. */
import type { Command } from "commander";
import { addOperation } from "../operation-command.ts";
import { endpoint } from "../option-values.ts";

export function addRegistry(parent: Command, description: string): void {
  const registry = parent.command("registry").description(description);
  addOperation(registry, {
    operation: "refreshAgentRegistry",
    usage: "refresh",
    request: ({ url }: { url?: string }) => ({ params: {}, body: { url } }),
  }).option("--url <url>", "URL of the registry document (default: the public one)", endpoint);
}
