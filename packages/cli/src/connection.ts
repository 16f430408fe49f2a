/** The daemon that a command talks to, and the token it needs there. */
import { type Command, Option } from "commander";
import type { Connection } from "./client.ts";
import { findDaemon } from "./daemon/find.ts";
import { defaultEndpoint } from "./default-address.ts";
import { endpoint } from "./option-values.ts";
import { givenToken, tokenOptions } from "./token/given-token.ts";

/** The heading under which help lists them. */
export const connectionHelpGroup = "Connection:";

/** Taken by every command that calls the API. */
export function addEndpointOption(command: Command): void {
  const option = new Option("-e, --endpoint <url>", "where the daemon is").env("SANDBOX_AGENT_ENDPOINT");
  command.addOption(option.default(defaultEndpoint).argParser(endpoint).helpGroup(connectionHelpGroup));
}

export function addTokenOptions(command: Command, visible: boolean): void {
  for (const option of tokenOptions()) command.addOption(option.helpGroup(connectionHelpGroup).hideHelp(!visible));
}

/** Whether the address was given, not just the default. */
export function isEndpointGiven(command: Command): boolean {
  return command.getOptionValueSource("endpoint") !== "default";
}

/** What was given counts. What was not comes from the daemons of this user that run. */
export function connectionOf(command: Command): Connection {
  const given = givenToken(command);
  const named: string | null = isEndpointGiven(command) ? command.getOptionValue("endpoint") : null;
  const found = findDaemon(named);
  return {
    endpoint: found?.url ?? named ?? defaultEndpoint,
    token: given === undefined ? (found?.token ?? null) : given,
  };
}
