/** What this daemon gives its agents: a place, an installer, the credentials of the machine, and a mark of ownership. */
import { homedir } from "node:os";
import { join } from "node:path";
import { type AgentBook, type AgentEnvironment, createInstaller, findCredentials } from "@sandbox-agent/agents";
import type { Logger } from "../logging/logger.ts";
import type { DaemonOptions } from "./options.ts";

export function agentEnvironment(
  options: DaemonOptions,
  { book, workDir, owner, logger }: { book: AgentBook; workDir: string; owner: string; logger: Logger },
): AgentEnvironment {
  const { env } = process;
  return {
    dataDir: join(workDir, "agents"),
    env,
    installer: createInstaller({ directory: join(options.dataDir, "bin"), env, definitions: book }),
    credentials: () => findCredentials({ env, home: env.HOME || homedir(), oauth: true }),
    owner,
    idleMs: options.agentIdleMs,
    log: (message, fields) => logger.info(message, fields),
  };
}
