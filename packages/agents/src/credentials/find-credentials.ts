/**
 * Finds the keys of model providers where people and agents keep them: the environment first, then the configuration of
 * each agent. The first hit for a provider wins. Nothing is stored, sent or changed.
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
  /** The home directory that agents keep their configuration in. */
  home: string;
  /** Whether tokens of a login count, besides keys. */
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
