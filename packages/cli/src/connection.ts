/** The daemon that a command uses, and its token. */
import { type Command, Option } from "commander";
import type { Connection } from "./client.ts";
import { findDaemon } from "./daemon/find.ts";
import { defaultEndpoint } from "./default-address.ts";
import { endpoint } from "./option-values.ts";
import { givenToken, tokenOptions } from "./token/given-token.ts";

/** The heading of these options in help. */
export const connectionHelpGroup = "Connection:";

/** For every command that calls the API. */
export function addEndpointOption(command: Command): void {
  const option = new Option("-e, --endpoint <url>", "URL of the daemon").env("SANDBOX_AGENT_ENDPOINT");
  command.addOption(option.default(defaultEndpoint).argParser(endpoint).helpGroup(connectionHelpGroup));
}

export function addTokenOptions(command: Command, visible: boolean): void {
  for (const option of tokenOptions()) command.addOption(option.helpGroup(connectionHelpGroup).hideHelp(!visible));
}

/** Whether the endpoint was set explicitly. */
export function isEndpointGiven(command: Command): boolean {
  return command.getOptionValueSource("endpoint") !== "default";
}

/** Explicit options win; the rest comes from a running daemon of this user. */
export function connectionOf(command: Command): Connection {
  const given = givenToken(command);
  const named: string | null = isEndpointGiven(command) ? command.getOptionValue("endpoint") : null;
  const found = findDaemon(named);
  return {
    endpoint: found?.url ?? named ?? defaultEndpoint,
    token: given === undefined ? (found?.token ?? null) : given,
  };
}
