import { expect, test } from "vitest";
import { isSecretVariable, secretsIn } from "./secret-variables.ts";

test.each([
  ["ANTHROPIC_API_KEY", "x"],
  ["GITHUB_TOKEN", "ghp_0123456789"],
  ["githubToken", "ghp_0123456789"],
  ["DB_PASSWORD", "hunter22"],
  ["AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"],
  ["SSH_PRIVATE_KEY", "-----BEGIN KEY-----\nabc\n-----END KEY-----"],
  ["apikey", "0123456789"],
  ["SLACK_SECRET", "https://hooks.example/services/T0/B0/abcdef"],
])("%s is a secret", (name, value) => {
  expect(isSecretVariable(name, value)).toBe(true);
});

test.each([
  ["HOME", "/home/somebody"],
  ["MONKEY_NAME", "george-the-first"],
  ["KEYBOARD_LAYOUT", "de-latin1-nodeadkeys"],
  ["GOOGLE_APPLICATION_CREDENTIALS", "/home/somebody/google/credentials.json"],
  ["MAX_OUTPUT_TOKENS", "32000"],
  ["TOKENIZERS_PARALLELISM", "false"],
  ["TOKEN_URL", "https://login.example/token"],
  ["GIT_CONFIG_KEY_0", "safe.directory"],
])("%s is not a secret", (name, value) => {
  expect(isSecretVariable(name, value)).toBe(false);
});

test("values to redact, without ordinary words", () => {
  const variables = {
    OPENAI_API_KEY: "sk-12345678",
    POSTGRES_PASSWORD: "postgres",
    DATABASE_URL: "postgres://admin:p%40ssw0rd-1@db.example/app",
    PROXY: "https://proxy.example/?api_key=0123456789",
    EMPTY_TOKEN: "",
    TOKEN: undefined,
  };
  expect(secretsIn(variables)).toEqual(["sk-12345678", "p@ssw0rd-1", "0123456789"]);
});
