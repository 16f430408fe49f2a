/**
 * Runs git for the whole daemon: with limits on time and output, in its own process group that is ended as a whole, and in an
 * environment without the git configuration of the daemon, the user and the system.
 */
import { within } from "@sandbox-agent/agents";

export interface GitOutput {
  text: string;
  truncated: boolean;
}

export interface GitRun {
  input?: Iterable<string>;
  maxBytes?: number;
  limitMs?: number;
}

/** Throws GitError. */
export type Git = (args: readonly string[], run?: GitRun) => Promise<GitOutput>;

export interface GitOptions {
  program: string;
  cwd: string;
  env: Record<string, string>;
  signal?: AbortSignal;
  /** Default limit of a run. */
  limitMs: number;
  maxBytes: number;
  /** The largest file it may write. If set, its memory is limited as well. */
  maxFileBytes?: number;
}

export class GitError extends Error {
  override name = "GitError";
}

const maxErrorBytes = 16 * 1024;
const maxMemoryKb = 4 * 1024 * 1024;
const graceMs = 1000;
/** How long output may stay open after git has ended, because a process that left its group holds it open. */
const lingerMs = 1000;

export function findGit(): string | null {
  return Bun.which("git", { PATH: searchPath() });
}

export function requireGit(purpose: string): string {
  const program = findGit();
  if (program) return program;
  throw new GitError(`git is not installed, and ${purpose}`);
}

export function gitWith(options: GitOptions): Git {
  const { program, cwd, env, signal } = options;
  return async (args, { input, maxBytes = options.maxBytes, limitMs = options.limitMs } = {}) => {
    signal?.throwIfAborted();
    const child = Bun.spawn([...limiter(options), program, ...args], {
      cwd,
      env,
      stdin: input ? new Blob([...input]) : "ignore",
      stdout: "pipe",
      stderr: "pipe",
      detached: true,
    });
    let killing: ReturnType<typeof setTimeout> | undefined;
    const stop = () => {
      // On SIGTERM, git removes the locks it holds.
      signalGroup(child.pid, "SIGTERM");
      killing ??= setTimeout(() => signalGroup(child.pid, "SIGKILL"), graceMs);
    };
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      stop();
    }, limitMs);
    signal?.addEventListener("abort", stop);
    try {
      const output = readUpTo(child.stdout, maxBytes, stop);
      const errors = readUpTo(child.stderr, maxErrorBytes, () => {});
      const code = await child.exited;
      const bothRead = Promise.all([output.done, errors.done]);
      await within(lingerMs, bothRead, () => {
        signalGroup(child.pid, "SIGKILL");
        output.cancel();
        errors.cancel();
      });
      const name = args.find((arg) => !arg.startsWith("-")) ?? "";
      if (timedOut) throw new GitError(`git ${name} took longer than ${limitMs / 1000} seconds`);
      if (code !== 0 && !output.truncated)
        throw new GitError(`git ${name} failed: ${errors.text().trim() || `exit ${code}`}`);
      return { text: output.text(), truncated: output.truncated };
    } finally {
      clearTimeout(timer);
      clearTimeout(killing);
      signal?.removeEventListener("abort", stop);
    }
  };
}

/**
 * An environment for git on untrusted repositories. git reads only the configuration that the daemon has written, which
 * configures no program that git could start: no filter, hook, helper, pager, editor or transport.
 */
export function isolatedEnvironment(gitDirectory: string): Record<string, string> {
  return {
    PATH: searchPath(),
    HOME: gitDirectory,
    LC_ALL: "C",
    GIT_DIR: gitDirectory,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_PAGER: "cat",
  };
}

/** Variables of the operator that git needs to reach other machines. */
const keptVariables =
  /^GIT_(SSH|SSH_COMMAND|SSH_VARIANT|SSL_.+|PROXY_SSL_.+|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+))$/;

/**
 * An environment for git that fetches from another machine. Proxies, certificates and stored credentials are those of the
 * daemon's user; there is no prompt for others.
 */
export function networkEnvironment(gitDirectory: string, protocols: readonly string[]): Record<string, string> {
  const kept = Object.entries(process.env).flatMap(([name, value]): [string, string][] => {
    const isKept = keptVariables.test(name) || !/^(GIT_|SSH_ASKPASS|SANDBOX_AGENT_)/.test(name);
    return isKept && value !== undefined ? [[name, value]] : [];
  });
  return {
    ...Object.fromEntries(kept),
    PATH: searchPath(),
    LC_ALL: "C",
    GIT_DIR: gitDirectory,
    GIT_TERMINAL_PROMPT: "0",
    // An empty value also disables a configured program.
    GIT_ASKPASS: "",
    GIT_ALLOW_PROTOCOL: protocols.join(":"),
  };
}

/** `ulimit -f` counts blocks of 512 bytes. Address space is limited in kilobytes, if the system supports it. */
function limiter({ maxFileBytes }: GitOptions): string[] {
  if (maxFileBytes === undefined) return [];
  const limits = `ulimit -f ${Math.ceil(maxFileBytes / 512)} && { ulimit -v ${maxMemoryKb} 2>/dev/null || true; }`;
  return ["/bin/sh", "-c", `${limits} && exec "$0" "$@"`];
}

/** PATH without relative entries, which would refer to the directory that git runs in. */
function searchPath(): string {
  return (process.env.PATH ?? "")
    .split(":")
    .filter((entry) => entry.startsWith("/"))
    .join(":");
}

function signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(-pid, signal);
  } catch {} // It has ended.
}

/** Reads the whole stream and keeps the first `maxBytes`; `onMore` is called once if there is more. */
function readUpTo(stream: ReadableStream<Uint8Array>, maxBytes: number, onMore: () => void) {
  const chunks: Uint8Array[] = [];
  const reader = stream.getReader();
  const state = {
    truncated: false,
    cancel: () => void reader.cancel().catch(() => {}),
    done: read(),
    text(): string {
      const text = Buffer.concat(chunks).subarray(0, maxBytes).toString();
      return state.truncated ? text.slice(0, lastEnd(text) || maxBytes) : text;
    },
  };
  async function read(): Promise<void> {
    let size = 0;
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      if (size <= maxBytes) chunks.push(value);
      size += value.byteLength;
      if (size <= maxBytes || state.truncated) continue;
      state.truncated = true;
      onMore();
    }
  }
  return state;
}

/** The end of the last complete line or entry. */
function lastEnd(text: string): number {
  return Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\0")) + 1;
}
