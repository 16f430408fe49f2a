/**
 * Hides keys from the commands of the model. OpenCode passes its own environment to them, so it is configured with a shell
 * script that unsets the secret variables and then runs the user's shell. (A plugin could do the same, but a configured
 * plugin makes OpenCode install packages from the network first.)
 */
import { existsSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { modelKeyVariables } from "../credentials/secret-variables.ts";
import { placeFile, quoted } from "../install/program-file.ts";
import { anthropicVariables, openaiVariables } from "../variables.ts";

/** Variables with API keys, by provider. */
export const keyVariables: Record<string, readonly string[]> = {
  anthropic: anthropicVariables,
  openai: openaiVariables,
  google: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"],
  openrouter: ["OPENROUTER_API_KEY"],
  groq: ["GROQ_API_KEY"],
  xai: ["XAI_API_KEY"],
  mistral: ["MISTRAL_API_KEY"],
  deepseek: ["DEEPSEEK_API_KEY"],
  azure: ["AZURE_API_KEY"],
  opencode: ["OPENCODE_API_KEY"],
};

const serverVariables = [
  "OPENCODE_SERVER_PASSWORD",
  "OPENCODE_SERVER_USERNAME",
  "OPENCODE_CONFIG_CONTENT",
  "OPENCODE_AUTH_CONTENT",
];

/** Shells that accept the arguments OpenCode passes. */
const usualShells = ["bash", "zsh", "sh"];

/** Writes the script for the user's shell `preferred` and returns its path. It contains no values of variables. */
export function guardShell(directory: string, preferred: string | undefined): string {
  const candidates = [preferred ?? "", "/bin/bash", "/usr/bin/bash", "/bin/sh"];
  const shell = candidates.find((path) => usualShells.includes(basename(path)) && existsSync(path)) ?? "/bin/sh";
  const names = [...new Set([...serverVariables, ...Object.values(keyVariables).flat(), ...modelKeyVariables])];
  const source = [
    "#!/bin/sh",
    `unset ${names.join(" ")}`,
    `SHELL=${quoted(shell)}`,
    "export SHELL",
    `exec ${quoted(shell)} "$@"`,
    "",
  ];
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // OpenCode recognizes a shell by its file name.
  const path = join(directory, basename(shell));
  placeFile(path, source.join("\n"), 0o755);
  return path;
}
