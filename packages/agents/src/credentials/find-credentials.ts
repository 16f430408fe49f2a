/**
 * Finds the keys of model providers: first in the environment, then in the configuration of each agent. The first match for a
 * provider is used. Nothing is stored, sent or changed.
 */

import type { Variables } from "../variables.ts";
import { ampCredential, ampServiceCredential } from "./amp.ts";
import { claudeCredential } from "./claude.ts";
import { codexCredential } from "./codex.ts";
import type { Credentials } from "./credentials.ts";
import { anthropicInEnvironment, openaiInEnvironment } from "./environment.ts";
import { opencodeCredentials } from "./opencode.ts";

export interface CredentialSearch {
  env: Variables;
  /** The home directory with the configuration of agents. */
  home: string;
  /** Whether login tokens are used, besides keys. */
  oauth: boolean;
}

export function findCredentials(search: CredentialSearch): Credentials {
  const { anthropic, openai, ...other } = opencodeCredentials(search);
  const amp = ampServiceCredential(search);
  return {
    anthropic: anthropicInEnvironment(search) ?? ampCredential(search) ?? claudeCredential(search) ?? anthropic ?? null,
    openai: openaiInEnvironment(search) ?? codexCredential(search) ?? openai ?? null,
    other: amp ? { ...other, amp } : other,
  };
}
