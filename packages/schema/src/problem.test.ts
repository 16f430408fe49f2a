import { describe, expect, test } from "vitest";
import { ProblemError, type ProblemKind, problemKinds } from "./problem.ts";
import { Problem } from "./problem-document.ts";

const table: [ProblemKind, number, string, string][] = [
  ["invalid_request", 400, "Invalid Request", "invalid request"],
  ["unsupported_agent", 400, "Unsupported Agent", "unsupported agent"],
  ["mode_not_supported", 400, "Mode Not Supported", "mode not supported"],
  ["token_invalid", 401, "Token Invalid", "token invalid"],
  ["permission_denied", 403, "Permission Denied", "permission denied"],
  ["not_found", 404, "Not Found", "not found"],
  ["agent_not_installed", 404, "Agent Not Installed", "agent not installed"],
  ["session_not_found", 404, "Session Not Found", "session not found"],
  ["method_not_allowed", 405, "Method Not Allowed", "method not allowed"],
  ["not_acceptable", 406, "Not Acceptable", "not acceptable"],
  ["conflict", 409, "Conflict", "conflict"],
  ["session_already_exists", 409, "Session Already Exists", "session already exists"],
  ["precondition_failed", 412, "Precondition Failed", "precondition failed"],
  ["payload_too_large", 413, "Payload Too Large", "payload too large"],
  ["unsupported_media_type", 415, "Unsupported Media Type", "unsupported media type"],
  ["range_not_satisfiable", 416, "Range Not Satisfiable", "range not satisfiable"],
  ["too_many_requests", 429, "Too Many Requests", "too many requests"],
  ["internal_error", 500, "Internal Error", "internal error"],
  ["install_failed", 500, "Install Failed", "install failed"],
  ["agent_process_exited", 500, "Agent Process Exited", "agent process exited"],
  ["process_not_started", 502, "Process Not Started", "process not started"],
  ["stream_error", 502, "Stream Error", "stream error"],
  ["registry_refresh_failed", 502, "Registry Refresh Failed", "registry refresh failed"],
  ["checkpoints_unavailable", 503, "Checkpoints Unavailable", "checkpoints unavailable"],
  ["storage_unavailable", 503, "Storage Unavailable", "storage unavailable"],
  ["identity_provider_unavailable", 503, "Identity Provider Unavailable", "identity provider unavailable"],
  ["shutting_down", 503, "Shutting Down", "shutting down"],
  ["timeout", 504, "Timeout", "timeout"],
];

describe("a problem", () => {
  test.each(table)("of kind %s has status %i and title %s", (kind, status, title, words) => {
    expect(new ProblemError(kind, "it broke").toProblem()).toEqual({
      type: `urn:sandbox-agent:error:${kind}`,
      title,
      status,
      detail: `${words}: it broke`,
    });
  });

  test("has one of the kinds listed here", () => {
    expect(table.map(([kind]) => kind)).toEqual(Object.keys(problemKinds));
  });

  test("has the path of the request", () => {
    expect(new ProblemError("timeout", "late").toProblem("/v1/sessions").instance).toBe("/v1/sessions");
  });

  test("carries agent, session and details as members", () => {
    const context = { agent: "mock", sessionId: "s", details: { mode: "fly" } };
    expect(new ProblemError("mode_not_supported", "no", context).toProblem()).toMatchObject(context);
  });

  test("fits its own schema", () => {
    const problem = new ProblemError("conflict", "no", { details: { a: 1 } }).toProblem("/v1/x");
    expect(Problem().parse(problem)).toEqual(problem);
  });

  test("is an error with the bare message", () => {
    expect(() => {
      throw new ProblemError("conflict", "a turn is running");
    }).toThrow(/^a turn is running$/);
  });
});
