/** The Anthropic key in Amp's configuration, and the key of the Amp service itself. */
import { join } from "node:path";
import { members, readJson, textAt } from "../json.ts";
import type { Credential } from "./credentials.ts";
import type { CredentialSearch } from "./find-credentials.ts";

/** The places of different versions, tried in this order. */
const places = [
  ["anthropicApiKey"],
  ["anthropic_api_key"],
  ["apiKey"],
  ["api_key"],
  ["accessToken"],
  ["access_token"],
  ["token"],
  ["auth", "anthropicApiKey"],
  ["auth", "apiKey"],
  ["auth", "token"],
  ["anthropic", "apiKey"],
  ["anthropic", "token"],
];

export function ampCredential({ home }: CredentialSearch): Credential | null {
  const config = readJson(join(home, ".amp", "config.json"));
  const key = places.map((place) => textAt(config, ...place)).find((text) => text !== null);
  return key ? { provider: "anthropic", source: "amp", auth_type: "api_key", api_key: key } : null;
}

const defaultServer = "https://ampcode.com/";

/** The key of Amp's own service. `amp login` stores it under the URL of the server exactly as configured. */
export function ampServiceCredential({ env, home }: CredentialSearch): Credential | null {
  if (env.AMP_API_KEY)
    return { provider: "amp", source: "environment", auth_type: "api_key", api_key: env.AMP_API_KEY };
  const data = env.XDG_DATA_HOME || join(home, ".local", "share");
  const config = env.XDG_CONFIG_HOME || join(home, ".config");
  const secrets = members(readJson(join(data, "amp", "secrets.json")));
  const settings = members(readJson(join(config, "amp", "settings.json")));
  const server = env.AMP_URL || textAt(settings, "amp.url") || defaultServer;
  const key = textAt(secrets, `apiKey@${server}`);
  return key ? { provider: "amp", source: "amp", auth_type: "api_key", api_key: key } : null;
}
