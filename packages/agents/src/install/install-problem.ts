/** How an installation fails: always as a problem that names the agent, the cause and a way out. */
import { ProblemError } from "@sandbox-agent/schema";
import { pathVariable } from "./variables.ts";

/** `output` is what the program that failed has said, where there was one. */
export function installProblem(agent: string, message: string, output: string = message): ProblemError {
  return new ProblemError("install_failed", withoutSecrets(message), {
    agent,
    details: { stderr: withoutSecrets(output.trim()) },
  });
}

/** Ways in which the system says that a directory is not ours to change; SQLite's come from the lock. */
const unwritable = new Set<unknown>(["EACCES", "EROFS", "EPERM", "SQLITE_CANTOPEN", "SQLITE_READONLY"]);

/** Any error of an installation as a problem. */
export function asInstallProblem(agent: string, directory: string, error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (isDiskFull(`${code} ${reason}`)) return installProblem(agent, diskFull(directory), reason);
  if (unwritable.has(code))
    return installProblem(
      agent,
      `${directory} cannot be written to; make it writable or choose another data directory`,
    );
  if (code === "EEXIST" || code === "ENOTDIR")
    return installProblem(agent, `a file lies where ${directory} should be; remove it`, reason);
  return installProblem(agent, `${reason}; try again, ${ownCopy(agent)}`);
}

/** What would be installed cannot be verified. `details.unverified` marks it: whoever installs many may leave it out. */
export function unverifiedProblem(agent: string, message: string): ProblemError {
  const { context } = installProblem(agent, message);
  return new ProblemError("install_failed", message, { agent, details: { ...context.details, unverified: true } });
}

/** What happened when every place to install from has failed. */
export function allFailed(agent: string, failures: readonly ProblemError[]): ProblemError {
  const [only] = failures;
  if (only && failures.length === 1) return only;
  const outputs = failures.map(({ context }) => String(context.details?.stderr ?? ""));
  return installProblem(agent, failures.map(({ message }) => message).join(". "), outputs.join("\n"));
}

export function isDiskFull(output: string): boolean {
  return /ENOSPC|EDQUOT|NoSpaceLeft|no space left/i.test(output);
}

export function diskFull(directory: string): string {
  return `the disk is full; free space where ${directory} lies, or choose another data directory`;
}

/** The way out that always works. */
export function ownCopy(agent: string): string {
  return `or install ${agent} yourself and name it in ${pathVariable(agent)}`;
}

/** The address of a registry may carry a password. */
function withoutSecrets(text: string): string {
  return text.replace(/\/\/[^/\s@]+@/g, "//***@");
}
