/** Where the inspector of a daemon is. With a token in its address it connects by itself, and takes the token out of it. */
export function inspectorUrl(url: string, token: string | null): string {
  return `${url}/ui/${token === null ? "" : `?token=${encodeURIComponent(token)}`}`;
}
