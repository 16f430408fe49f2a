/** The expected form of problems. The table repeats the contract, so that tests do not depend on the code they check. */
import { expect } from "vitest";
import type { Answer } from "./client.ts";

const contract = {
  invalid_request: [400, "Invalid Request"],
  unsupported_agent: [400, "Unsupported Agent"],
  mode_not_supported: [400, "Mode Not Supported"],
  token_invalid: [401, "Token Invalid"],
  permission_denied: [403, "Permission Denied"],
  not_found: [404, "Not Found"],
  agent_not_installed: [404, "Agent Not Installed"],
  session_not_found: [404, "Session Not Found"],
  method_not_allowed: [405, "Method Not Allowed"],
  conflict: [409, "Conflict"],
  session_already_exists: [409, "Session Already Exists"],
  precondition_failed: [412, "Precondition Failed"],
  payload_too_large: [413, "Payload Too Large"],
  unsupported_media_type: [415, "Unsupported Media Type"],
  range_not_satisfiable: [416, "Range Not Satisfiable"],
  too_many_requests: [429, "Too Many Requests"],
  internal_error: [500, "Internal Error"],
  install_failed: [500, "Install Failed"],
  agent_process_exited: [500, "Agent Process Exited"],
  registry_refresh_failed: [502, "Registry Refresh Failed"],
  process_not_started: [502, "Process Not Started"],
  checkpoints_unavailable: [503, "Checkpoints Unavailable"],
  storage_unavailable: [503, "Storage Unavailable"],
  identity_provider_unavailable: [503, "Identity Provider Unavailable"],
  shutting_down: [503, "Shutting Down"],
} as const;

export type ContractKind = keyof typeof contract;

/** Checks status, content type and every member of the body. `members` are the additional members of the kind. */
export function expectProblem(
  answer: Pick<Answer, "status" | "headers" | "json">,
  kind: ContractKind,
  members: Record<string, unknown> = {},
): void {
  const [status, title] = contract[kind];
  const kindText = kind.replaceAll("_", " ");
  expect({
    status: answer.status,
    contentType: answer.headers.get("content-type"),
    body: answer.json,
  }).toEqual({
    status,
    contentType: "application/problem+json",
    body: {
      type: `urn:sandbox-agent:error:${kind}`,
      title,
      status,
      detail: expect.stringMatching(new RegExp(`^${kindText}: \\S`)),
      instance: expect.stringMatching(/^\//),
      ...members,
    },
  });
}

/** The `details` of a rejected body or query: the invalid fields. */
export function faults(where: "body" | "query", ...paths: string[]): Record<string, unknown> {
  return { where, issues: paths.map((path) => ({ path, message: expect.any(String) })) };
}

/** A rejected token, with the reason. */
export function expectInvalidToken(answer: Answer, message: string = answer.json.details?.message): void {
  expectProblem(answer, "token_invalid", { detail: `token invalid: ${message}`, details: { message } });
}
