/** Agents without the daemon: each driven over its own protocol, to see what the daemon adds. */
import { type AgentEnvironment, createInstaller } from "@sandbox-agent/agents";

export interface BareAgent {
  /** Milliseconds from sending a message to its first text delta. Resolves when the turn has ended. */
  turn(prompt: string): Promise<number>;
  close(): Promise<void>;
}

export interface BareOptions {
  /** The agent's executable. */
  program: string;
  directory: string;
  home: string;
  /** Base of the scripted model. */
  modelUrl: string;
}

/** Starts now. `first` takes the time of the first delta, `done` resolves `result` with it. */
export function stopwatch() {
  const done = Promise.withResolvers<number>();
  const started = performance.now();
  let firstAfter: number | null = null;
  return {
    first: () => void (firstAfter ??= performance.now() - started),
    done: () => done.resolve(firstAfter ?? Number.NaN),
    result: done.promise,
  };
}

export function baseEnvironment({ home }: BareOptions): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: home, XDG_DATA_HOME: `${home}/data`, XDG_CONFIG_HOME: `${home}/config` };
}

/** The environment that the daemon starts the agent with, so that the bare agent has the same configuration. */
export function launchEnvironment(options: BareOptions): AgentEnvironment {
  const key = { source: "environment", auth_type: "api_key", api_key: "test-key" } as const;
  const env = {
    ...baseEnvironment(options),
    ANTHROPIC_BASE_URL: options.modelUrl,
    OPENAI_BASE_URL: `${options.modelUrl}/v1`,
  };
  return {
    dataDir: `${options.home}/agents`,
    env,
    installer: createInstaller({ directory: options.home, env }),
    credentials: () => ({
      anthropic: { provider: "anthropic", ...key },
      openai: { provider: "openai", ...key },
      other: {},
    }),
    owner: "bench",
    idleMs: 0,
    inherit: [],
    hide: () => {},
    log: () => {},
  };
}
