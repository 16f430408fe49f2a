/** Whatever an agent or its provider repeats, keys do not get into any event. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (clean, secret) => (clean.includes(secret) ? clean.replaceAll(secret, "[redacted]") : clean),
    text,
  );
}
