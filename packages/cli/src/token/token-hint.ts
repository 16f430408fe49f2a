/** Adds to the daemon's refusal of a token where to get the right one, which a daemon cannot know of its clients. */

const hint =
  "Give it with --token-file or SANDBOX_AGENT_TOKEN. A token that the daemon has made is in the file `token` of its data directory, and commands of the same user find it by themselves";

export function withTokenHint(problem: unknown): unknown {
  if (typeof problem !== "object" || problem === null || !("type" in problem)) return problem;
  if (problem.type !== "urn:sandbox-agent:error:token_invalid") return problem;
  return { ...problem, detail: "detail" in problem ? `${problem.detail}. ${hint}` : hint };
}
