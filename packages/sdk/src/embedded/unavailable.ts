/** Stands in for embedded mode where there are no processes. */
import type { EmbeddedDaemon } from "./index.ts";

export async function startEmbedded(): Promise<EmbeddedDaemon> {
  throw new Error("an embedded daemon needs Node, Bun or Deno; use SandboxAgent.connect() to reach one that runs");
}
