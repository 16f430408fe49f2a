/** Finding and installing the programs of agents. */
export interface InstalledAgent {
  agent: string;
  /** null when the program does not tell. */
  version: string | null;
  /** The executable file. */
  path: string;
  /** What to run, arguments of the agent behind it. For programs that need a runtime, it comes first. */
  command: readonly string[];
  /**
   * Variables the command needs in its environment. JavaScript agents run on our own executable; one that was compiled
   * becomes the Bun runtime by BUN_BE_BUN=1 (`script-runner.ts`).
   */
  env?: Readonly<Record<string, string>>;
}

export interface InstallProgress {
  agent: string;
  phase: "resolving" | "downloading" | "unpacking" | "done" | "failed";
  message: string;
  /** 0 to 1, where it is known. */
  fraction?: number;
}

export interface Installer {
  /**
   * The installed agent, or null. Looks at explicit paths, our own directory, then PATH. With a version, only that one
   * counts; "latest" is never found, since only an installation learns what it is.
   */
  find(agent: string, version?: string | null): Promise<InstalledAgent | null>;
  /**
   * Installs it unless it is there already, and makes it the one that is found without a version. Parallel calls for one
   * agent share one installation. Throws ProblemError.
   */
  install(agent: string, options?: { version?: string | null; reinstall?: boolean }): Promise<InstalledAgent>;
  /** For a session about to start: the installed agent, installed first if that is allowed. Throws ProblemError. */
  require(agent: string, version?: string | null): Promise<InstalledAgent>;
  onProgress(listener: (progress: InstallProgress) => void): () => void;
}
