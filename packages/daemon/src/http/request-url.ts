/** The URL of a request. The client controls the host, so only path and query are used. */
export function urlOf({ url }: Pick<Request, "url">): URL {
  const target = url.replace(/^\w+:\/\/[^/?#]*/, "");
  return new URL(`http://localhost${target}`);
}

/** A path without dot segments and characters to encode, which `URL` would leave unchanged. */
const plainPath = /^\w+:\/\/[^/?#]*((?:\/[\w~-][\w.~-]*)+)(?:\?|$)/;

/** Without the query, which may contain a token. */
export function pathOf(request: Pick<Request, "url">): string {
  return plainPath.exec(request.url)?.[1] ?? urlOf(request).pathname;
}
