/** Finding and installing the programs of agents. */
export interface InstalledAgent {
  agent: string;
  /** null if the program does not report it. */
  version: string | null;
  /** The executable file. */
  path: string;
  /** The command to run, without the agent's arguments. Starts with the runtime if the program needs one. */
  command: readonly string[];
  /**
   * Environment variables that the command needs. JavaScript agents run on our own executable, which BUN_BE_BUN=1 turns into
   * the Bun runtime (`script-runner.ts`).
   */
  env?: Readonly<Record<string, string>>;
}

export interface InstallProgress {
  agent: string;
  phase: "resolving" | "downloading" | "unpacking" | "done" | "failed";
  message: string;
  /** 0 to 1, if known. */
  fraction?: number;
}

export interface Installer {
  /**
   * The installed agent, or null. Searches explicit paths, our own directory, then PATH. With a version, only that one
   * matches; "latest" is never found, because only an installation resolves it.
   */
  find(agent: string, version?: string | null): Promise<InstalledAgent | null>;
  /**
   * Installs the agent unless it is already installed, and makes the version the default. Parallel calls for one agent share
   * one installation. Throws ProblemError.
   */
  install(agent: string, options?: { version?: string | null; reinstall?: boolean }): Promise<InstalledAgent>;
  /** The agent for a new session, installed first if necessary and allowed. Throws ProblemError. */
  require(agent: string, version?: string | null): Promise<InstalledAgent>;
  onProgress(listener: (progress: InstallProgress) => void): () => void;
}
