/** The command line and exit status of a process as text. */
import type { ProcessInfo } from "sandbox-agent";

/** A command run with `sh -c` is shown as it was typed. */
export function commandLine({ command, args }: Pick<ProcessInfo, "command" | "args">): string {
  const [first, script] = args;
  if (command === "sh" && first === "-c" && script !== undefined && args.length === 2) return script;
  return [command, ...args].join(" ");
}

export function endText({ exitCode, signal }: Pick<ProcessInfo, "exitCode" | "signal">): string {
  return signal ?? (exitCode === undefined ? "ended" : `exit ${exitCode}`);
}
