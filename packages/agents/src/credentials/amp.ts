/** The Anthropic key in Amp's configuration. */
import { join } from "node:path";
import type { Credential } from "./credentials.ts";
import type { CredentialSearch } from "./find-credentials.ts";
import { readJson, textAt } from "./json-file.ts";

/** Spellings of different versions, tried in this order. */
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
