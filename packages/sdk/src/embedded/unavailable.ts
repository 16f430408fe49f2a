/** Replaces embedded mode in browsers and workers. */
import type { EmbeddedDaemon } from "./index.ts";

export async function startEmbedded(): Promise<EmbeddedDaemon> {
  throw new Error("an embedded daemon needs Node, Bun or Deno; use SandboxAgent.connect() to connect to a running one");
}
