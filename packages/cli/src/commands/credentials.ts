/** `credentials extract | extract-env`: finds API keys of model providers on this machine. */
import { homedir } from "node:os";
import type { Credential, Credentials } from "@sandbox-agent/agents";
import { type Command, Option } from "commander";
import { Failure, usageError } from "../failure.ts";
import { path } from "../option-values.ts";
import { print, printValue } from "../print.ts";

interface SearchOptions {
  homeDir?: string;
  oauth: boolean;
}

interface ExtractOptions extends SearchOptions {
  agent?: string;
  provider?: string;
  reveal?: true;
}

interface ExtractEnvOptions extends SearchOptions {
  export?: true;
}

/** The provider whose credentials an agent uses; null for any. */
const providerOfAgent: Record<string, string | null> = {
  claude: "anthropic",
  codex: "openai",
  opencode: null,
  amp: "anthropic",
  pi: null,
};

export function addCredentials(program: Command): void {
  const credentials = program
    .command("credentials")
    .description("Find API keys of model providers in the environment and in the configuration of agents");

  const agent = new Option("-a, --agent <agent>", "print only the token for this agent");
  const extract = credentials
    .command("extract")
    .description("Print the credentials that are found, with keys redacted");
  extract
    .addOption(agent.choices(Object.keys(providerOfAgent)))
    .option("-p, --provider <provider>", "print only the token for this provider")
    .option("-r, --reveal", "print keys in full");
  addSearch(extract).action(extractCredentials);

  const extractEnv = credentials
    .command("extract-env")
    .description("Print the credentials that are found as environment variables");
  extractEnv.option("-e, --export", "prefix each line with `export`");
  addSearch(extractEnv).action(extractEnvironment);
}

function addSearch(command: Command): Command {
  return command
    .option("-d, --home-dir <path>", "home directory to search (default: yours)", path)
    .option("--no-oauth", "only API keys, no OAuth tokens");
}

async function extractCredentials({ agent, provider, reveal, ...search }: ExtractOptions): Promise<void> {
  const found = await credentialsFoundBy(search);
  if (agent !== undefined || provider !== undefined) return print(select(found, agent, provider).api_key);
  const { redact } = await import("@sandbox-agent/agents");
  const shown = (credential: Credential) => ({
    ...credential,
    api_key: reveal ? credential.api_key : redact(credential.api_key),
    redacted: !reveal,
  });
  const { anthropic, openai, other } = found;
  await printValue({
    anthropic: anthropic && shown(anthropic),
    openai: openai && shown(openai),
    other: Object.fromEntries(Object.entries(other).map(([name, credential]) => [name, shown(credential)])),
  });
}

async function extractEnvironment({ export: exported, ...search }: ExtractEnvOptions): Promise<void> {
  const { environmentFor } = await import("@sandbox-agent/agents");
  const variables = Object.entries(environmentFor(await credentialsFoundBy(search)));
  const lines = variables.map(([name, value]) => `${exported ? "export " : ""}${name}=${quoted(value)}`);
  if (lines.length > 0) await print(lines.join("\n"));
}

async function credentialsFoundBy({ homeDir, oauth }: SearchOptions): Promise<Credentials> {
  const { findCredentials } = await import("@sandbox-agent/agents");
  return findCredentials({ env: process.env, home: homeDir ?? homedir(), oauth });
}

/** The credential for the agent or provider. */
function select(found: Credentials, agent: string | undefined, provider: string | undefined): Credential {
  const only = agent === undefined ? null : (providerOfAgent[agent] ?? null);
  if (only !== null && provider !== undefined && provider !== only)
    throw usageError(`${agent} uses only credentials of ${only}, not of ${provider}`);
  const all = [found.anthropic, found.openai, ...Object.values(found.other)].filter((entry) => entry !== null);
  const wanted = only ?? provider;
  const candidates = wanted === undefined ? all : all.filter((entry) => entry.provider === wanted);
  const [first, ...others] = candidates;
  if (!first) throw new Failure(`no credential found${wanted === undefined ? "" : ` for ${wanted}`}`);
  if (others.length === 0) return first;
  const names = candidates.map((entry) => entry.provider).join(", ");
  throw new Failure(`${agent} can use several credentials (${names}); choose one with --provider`);
}

/** Quoted for a shell if needed. */
function quoted(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
