/** Environment variables with keys and base URLs of model providers, and filtering of variables. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Variables with keys and logins of Anthropic and of OpenAI. */
export const anthropicVariables = [
  "ANTHROPIC_API_KEY",
  "CLAUDE_API_KEY",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "ANTHROPIC_AUTH_TOKEN",
];
export const openaiVariables = ["OPENAI_API_KEY", "CODEX_API_KEY"];

/** Keys by provider, each from the first of its variables that is set. */
export function keysIn(
  variables: Variables,
  names: Readonly<Record<string, readonly string[]>>,
): Record<string, string> {
  const found = Object.entries(names).flatMap(([provider, candidates]) => {
    const key = candidates.map((name) => variables[name]).find((value) => value);
    return key ? [[provider, key] as const] : [];
  });
  return Object.fromEntries(found);
}

/** Base URLs of providers that are set in the environment. */
export function baseUrlsIn(variables: Variables): Record<string, string> {
  const { ANTHROPIC_BASE_URL: anthropic, OPENAI_BASE_URL: openai } = variables;
  return { ...(anthropic && { anthropic }), ...(openai && { openai }) };
}

/** The variables that are set, except those that are withheld. */
export function variablesWithout(
  variables: Variables,
  isWithheld: (name: string, value: string) => boolean,
): Record<string, string> {
  const kept = Object.entries(variables).flatMap(([name, value]) =>
    value === undefined || isWithheld(name, value) ? [] : [[name, value] as const],
  );
  return Object.fromEntries(kept);
}
