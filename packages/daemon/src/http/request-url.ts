/** The URL of a request. Its host is whatever the client claims, or nothing, so only what follows it is used. */
export function urlOf(request: Request): URL {
  const target = request.url.replace(/^\w+:\/\/[^/?#]*/, "");
  return new URL(`http://localhost${target}`);
}

/** Without the query, which may hold a token. */
export function pathOf(request: Request): string {
  return urlOf(request).pathname;
}
