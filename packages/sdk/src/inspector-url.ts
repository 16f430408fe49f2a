/** The URL of a daemon's inspector, with the token and headers it connects with. */
import type { ConnectOptions } from "./transport.ts";

export function buildInspectorUrl({ baseUrl, token, headers }: Pick<ConnectOptions, "baseUrl" | "token" | "headers">) {
  const url = new URL("ui/", `${baseUrl.replace(/\/+$/, "")}/`);
  if (token !== undefined) url.searchParams.set("token", token);
  if (headers) url.searchParams.set("headers", JSON.stringify(headers));
  return url.href;
}
