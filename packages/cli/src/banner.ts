/** The output of a server when it listens: its URLs, and commands to try. */
import { inspectorUrl } from "./inspector-url.ts";
import { version } from "./version.ts";

export interface BannerFacts {
  /** The URL of the address it listens on. */
  url: string;
  /** A URL that reaches it from this machine. */
  localUrl: string;
  /** Null: in memory. */
  dataDir: string | null;
  /** A token that was passed in is not printed, because output ends up in logs. */
  token: { made: string } | "given" | null;
}

/** Scripts parse the address from the first line, so it must not change. */
export function banner({ url, localUrl, dataDir, token }: BannerFacts): string {
  const made = typeof token === "object" && token !== null ? token.made : null;
  const authorization = token === null ? "" : ` -H "Authorization: Bearer ${made ?? "$SANDBOX_AGENT_TOKEN"}"`;
  const post = (path: string, body: string) =>
    `${localUrl}/v1/sessions/${path}${authorization} -H 'Content-Type: application/json' -d '${body}'`;
  return [
    `sandbox-agent ${version} listening on ${url}`,
    `Data       ${dataDir ?? "in memory, lost when the server stops"}`,
    `Inspector  ${inspectorUrl(localUrl, made)}`,
    `API        ${localUrl}/docs`,
    "Try it:",
    `  curl ${post("demo", '{"agent":"mock"}')}`,
    `  curl -N ${post("demo/messages/stream", '{"message":"hello"}')}`,
  ].join("\n");
}
