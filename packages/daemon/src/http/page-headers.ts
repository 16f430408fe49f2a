/** Headers of the pages for people. A browser that has one of them open must give other sites no hold on it. */

/** Styles are allowed by their hash; nothing else is, unless a page says so. */
export function pageHeaders(policy: Record<string, string> = {}): Record<string, string> {
  const directives = {
    "default-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'self'",
    ...policy,
  };
  return {
    "content-security-policy": Object.entries(directives)
      .map((directive) => directive.join(" "))
      .join("; "),
    // A page that opens this one, or is opened by it, gets no reference to its window.
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
  };
}

export function styleHash(style: string): string {
  return `'sha256-${new Bun.CryptoHasher("sha256").update(style).digest("base64")}'`;
}
