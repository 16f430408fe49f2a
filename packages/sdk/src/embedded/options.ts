/** How an embedded daemon is started. */
export interface EmbeddedOptions {
  /**
   * The `sandbox-agent` executable; otherwise SANDBOX_AGENT_BIN, the package @sandbox-agent/cli (looked for from this
   * package, then from the working directory; its package for the platform has the executable), then PATH.
   */
  binaryPath?: string;
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: the daemon takes any free one. */
  port?: number;
  /** Default: 24 random bytes. */
  token?: string;
  /** Where sessions are kept. Without it they are gone when the daemon stops. */
  dataDir?: string;
  /** How long it may take to start; default 30 seconds. */
  timeoutMs?: number;
  /** `inherit` shows what the daemon prints; default `silent`. */
  log?: "inherit" | "silent";
  /** Added to the environment of the daemon and its agents. */
  env?: Record<string, string>;
}
