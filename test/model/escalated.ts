/**
 * A command that Codex shall run outside of its sandbox, for which it always asks. When the sandbox blocks a write, it asks
 * only if the command has failed within its first moments, and that is up to the machine.
 */
export function escalated(cmd: string): string {
  const input = { cmd, sandbox_permissions: "require_escalated", justification: "The user wants it" };
  return `[[tool exec_command ${JSON.stringify(input)}]]`;
}
