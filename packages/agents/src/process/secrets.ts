/** Removes keys from messages and exits of agents, so that they do not get into any event. */
import type { AgentExit } from "../draft.ts";

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (clean, secret) => (clean.includes(secret) ? clean.replaceAll(secret, "[redacted]") : clean),
    text,
  );
}

export function exitWithoutSecrets({ code, message, stderr }: AgentExit, secrets: readonly string[]): AgentExit {
  const clean = (text: string) => withoutSecrets(text, secrets);
  const { head, tail } = stderr;
  return { code, message: clean(message), stderr: { ...stderr, head: head && clean(head), tail: tail && clean(tail) } };
}
