/** What a server prints when it listens: where everything is, and commands that work as they stand. */
import { inspectorUrl } from "./inspector-url.ts";
import { version } from "./version.ts";

export interface BannerFacts {
  /** As the server was told to listen. */
  url: string;
  /** By which this machine reaches it. */
  localUrl: string;
  /** null = in memory. */
  dataDir: string | null;
  /** A token that was given is not printed: whoever has given it has it, and output ends up in logs. */
  token: { made: string } | "given" | null;
}

/** The first line is a contract: scripts read the address from it. */
export function banner({ url, localUrl, dataDir, token }: BannerFacts): string {
  const made = typeof token === "object" && token !== null ? token.made : null;
  const authorization = token === null ? "" : ` -H "Authorization: Bearer ${made ?? "$SANDBOX_AGENT_TOKEN"}"`;
  const post = (path: string, body: string) =>
    `${localUrl}/v1/sessions/${path}${authorization} -H 'Content-Type: application/json' -d '${body}'`;
  return [
    `sandbox-agent ${version} listening on ${url}`,
    `Data       ${dataDir ?? "in memory, gone when the server stops"}`,
    `Inspector  ${inspectorUrl(localUrl, made)}`,
    `API        ${localUrl}/docs`,
    "Try it:",
    `  curl ${post("demo", '{"agent":"mock"}')}`,
    `  curl -N ${post("demo/messages/stream", '{"message":"hello"}')}`,
  ].join("\n");
}
