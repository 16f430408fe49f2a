/** The URL of a request. Its host is whatever the client claims, or nothing, so only what follows it is used. */
export function urlOf({ url }: Pick<Request, "url">): URL {
  const target = url.replace(/^\w+:\/\/[^/?#]*/, "");
  return new URL(`http://localhost${target}`);
}

/** A path with no dots to fold and nothing to encode: it is what a URL would make of it. */
const plainPath = /^\w+:\/\/[^/?#]*((?:\/[\w~-][\w.~-]*)+)(?:\?|$)/;

/** Without the query, which may hold a token. */
export function pathOf(request: Pick<Request, "url">): string {
  return plainPath.exec(request.url)?.[1] ?? urlOf(request).pathname;
}
