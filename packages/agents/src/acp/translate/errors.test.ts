import { ProblemError } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { RpcError } from "../../process/json-rpc.ts";
import { errorData, errorInText, stopError } from "./errors.ts";

test.each([
  [401, "no", "auth_invalid"],
  [403, "no", "auth_invalid"],
  [-32603, "API key not valid", "auth_invalid"],
  [-32603, "Unauthorized", "auth_invalid"],
  [429, "no", "rate_limited"],
  [-32603, "rate limit exceeded", "rate_limited"],
  [529, "no", "overloaded"],
  [-32603, "The model is in high demand", "overloaded"],
  [400, "no", "invalid_request"],
  [-32603, "invalid_request_error", "invalid_request"],
  [500, "no", "provider_error"],
  [599, "no", "provider_error"],
  [600, "no", "agent_error"],
  [-32603, "API Error: 503 Service Unavailable", "provider_error"],
  [429, "not 500", "rate_limited"],
  [-32603, "fetch failed", "connection_failed"],
  [-32603, "Internal error", "agent_error"],
])("an error with the code %d and the message %s is %s", (code, message, expected) => {
  expect(errorData(new RpcError(code, message))).toEqual({ message, code: expected, details: { code } });
});

test("the data of an error stay with it", () => {
  const data = { status: 7 };
  expect(errorData(new RpcError(-1, "no", data)).details).toEqual({ code: -1, data });
});

test.each([
  [undefined, "auth_required"],
  [{ hasKey: false }, "auth_required"],
  [{ hasKey: true }, "auth_invalid"],
])("authentication required, with %j: %s", (options, code) => {
  expect(errorData(new RpcError(-32000, "Authentication required"), options)).toMatchObject({
    code,
    details: { code: -32000 },
  });
});

test.each([
  [new ProblemError("timeout", "too slow", { details: { ms: 1 } }), "too slow", "timeout"],
  [new Error("broken"), "broken", "agent_error"],
  ["broken", "broken", "agent_error"],
])("our own errors keep their message: %s", (error, message, code) => {
  expect(errorData(error)).toMatchObject({ message, code });
});

describe("an error in text", () => {
  test.each([
    ["Error: 429 slow down", false, "rate_limited"],
    ['\n{"error":{"message":"Overloaded"}}', false, "overloaded"],
    [" API Error: 400 ", true, "invalid_request"],
  ])("%j, no usage: %s", (text, hasNoUsage, code) => {
    expect(errorInText(text, { hasNoUsage })).toEqual({ message: text.trim(), code });
  });

  test.each([
    ["An Error: in the middle", false],
    ["", false],
    [" ", true],
  ])("%j, no usage: %s, is not an error", (text, hasNoUsage) => {
    expect(errorInText(text, { hasNoUsage })).toBeNull();
  });
});

test.each([
  ["max_tokens", "max_output_tokens"],
  ["max_turn_requests", "max_turns"],
  ["refusal", "refusal"],
])("the stop reason %s is the error %s", (reason, code) => {
  expect(stopError(reason)).toMatchObject({ code });
  expect(stopError("end_turn")).toBeNull();
});
