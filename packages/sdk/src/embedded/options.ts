/** How an embedded daemon is started. */
export interface EmbeddedOptions {
  /**
   * The `sandbox-agent` executable. Default: SANDBOX_AGENT_BIN, else the package @sandbox-agent/cli (resolved from this package,
   * then from the working directory), else PATH.
   */
  binaryPath?: string;
  /** Default: 127.0.0.1. */
  host?: string;
  /** Default: 0, any free port. */
  port?: number;
  /** Default: 24 random bytes. */
  token?: string;
  /** Where sessions are stored. Default: in memory, until the daemon stops. */
  dataDir?: string;
  /** How long the start may take. Default: 30 seconds. */
  timeoutMs?: number;
  /** `inherit` prints the output of the daemon. Default: `silent`. */
  log?: "inherit" | "silent";
  /** Added to the environment of the daemon and its agents. */
  env?: Record<string, string>;
}
