/** Adds to a `token_invalid` problem where the CLI finds the right token. */

const hint =
  "Pass it with --token-file or SANDBOX_AGENT_TOKEN. A token that the daemon has created is in the file `token` of its data directory, and commands of the same user find it automatically";

export function withTokenHint(problem: unknown): unknown {
  if (typeof problem !== "object" || problem === null || !("type" in problem)) return problem;
  if (problem.type !== "urn:sandbox-agent:error:token_invalid") return problem;
  return { ...problem, detail: "detail" in problem ? `${problem.detail}. ${hint}` : hint };
}
