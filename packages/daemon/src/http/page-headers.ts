/** Security headers of the web pages: other sites must not be able to embed or script them. */

/** Allows only styles with these hashes, and what a page adds. */
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
    // Pages of other origins get no reference to this window.
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
  };
}

export function styleHash(style: string): string {
  return `'sha256-${new Bun.CryptoHasher("sha256").update(style).digest("base64")}'`;
}
