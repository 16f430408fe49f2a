/** Problems of an installation, with the agent, the cause and what to do. */
import { ProblemError } from "@sandbox-agent/schema";
import { pathVariable } from "./variables.ts";

/** `output` is the output of the program that failed, if there was one. */
export function installProblem(agent: string, message: string, output: string = message): ProblemError {
  return new ProblemError("install_failed", withoutSecrets(message), {
    agent,
    details: { stderr: withoutSecrets(output.trim()) },
  });
}

/** Error codes for a directory that is not writable; those of SQLite come from the lock. */
const unwritable = new Set<unknown>(["EACCES", "EROFS", "EPERM", "SQLITE_CANTOPEN", "SQLITE_READONLY"]);

/** Any error of an installation as a problem. */
export function asInstallProblem(agent: string, directory: string, error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (isDiskFull(`${code} ${reason}`)) return installProblem(agent, diskFull(directory), reason);
  if (unwritable.has(code))
    return installProblem(agent, `${directory} is not writable; make it writable or choose another data directory`);
  if (code === "EEXIST" || code === "ENOTDIR")
    return installProblem(agent, `there is a file in place of the directory ${directory}; remove it`, reason);
  return installProblem(agent, `${reason}; try again, ${ownCopy(agent)}`);
}

/** The download cannot be verified. It is marked with `details.unverified`, so that callers that install many agents can skip it. */
export function unverifiedProblem(agent: string, message: string): ProblemError {
  const { context } = installProblem(agent, message);
  return new ProblemError("install_failed", message, { agent, details: { ...context.details, unverified: true } });
}

/** The problem if every source has failed. */
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
  return `the disk is full; free space on the disk of ${directory}, or choose another data directory`;
}

/** The solution that always works, as part of a message. */
export function ownCopy(agent: string): string {
  return `or install ${agent} yourself and set ${pathVariable(agent)} to its path`;
}

/** The URL of a registry may contain a password. */
function withoutSecrets(text: string): string {
  return text.replace(/\/\/[^/\s@]+@/g, "//***@");
}
