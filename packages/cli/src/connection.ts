/** The options that say which daemon to talk to and with which token. */
import { type Command, Option } from "commander";
import type { Connection } from "./client.ts";
import { defaultEndpoint } from "./default-address.ts";
import { usageError } from "./failure.ts";
import { endpoint } from "./option-values.ts";

/** The heading under which help lists them. */
export const connectionHelpGroup = "Connection:";

/** Taken by every command that calls the API. */
export function addEndpointOption(command: Command): void {
  const option = new Option("-e, --endpoint <url>", "where the daemon is").env("SANDBOX_AGENT_ENDPOINT");
  command.addOption(option.default(defaultEndpoint).argParser(endpoint).helpGroup(connectionHelpGroup));
}

/** Taken by every command. `--token` must come first: declared alone, `--no-token` would make a token the default. */
export function addTokenOptions(command: Command, visible: boolean): void {
  const token = new Option("-t, --token <token>", "token that protects the daemon (env: SANDBOX_AGENT_TOKEN)");
  const noToken = new Option("-n, --no-token", "use no token, even if SANDBOX_AGENT_TOKEN is set");
  for (const option of [token, noToken]) command.addOption(option.helpGroup(connectionHelpGroup).hideHelp(!visible));
}

export function connectionOf(command: Command): Connection {
  return { endpoint: command.getOptionValue("endpoint"), token: tokenOf(command) };
}

/** What was said closest to the end of the command line counts, then the environment. */
export function tokenOf(command: Command): string | null {
  for (let current: Command | null = command; current !== null; current = current.parent) {
    const value: unknown = current.getOptionValue("token");
    if (value === false) return null;
    if (value === "") throw usageError("--token must not be empty; use --no-token to go without one");
    if (typeof value === "string") return value;
  }
  return process.env.SANDBOX_AGENT_TOKEN || null;
}
