/** Agents without the daemon: each driven over its own protocol, to see what the daemon adds. */
import { type AgentEnvironment, createInstaller } from "@sandbox-agent/agents";
export interface BareAgent {
  /** Milliseconds from handing over a message to its first text delta. Resolves when the turn is over. */
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

/** Measures from `start` to the moment `first` is told, and waits for `done`. */
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

/** The surroundings an adapter would start the agent in, so that bare and through the daemon it runs with one configuration. */
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
