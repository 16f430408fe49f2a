/** The URL of a daemon's inspector. With a token it connects automatically, and removes the token from the URL. */
export function inspectorUrl(url: string, token: string | null): string {
  return `${url}/ui/${token === null ? "" : `?token=${encodeURIComponent(token)}`}`;
}
