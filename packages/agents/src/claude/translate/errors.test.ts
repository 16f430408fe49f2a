import { expect, test } from "vitest";
import { errorData } from "./errors.ts";

test.each([
  ["OAuth token has expired", "authentication_failed", 401, "auth_expired"],
  ["Not logged in · Please run /login", "authentication_failed", undefined, "auth_required"],
  ["Please run /login · API Error: 401", "authentication_failed", undefined, "auth_invalid"],
  ["Not logged in", "authentication_failed", 401, "auth_invalid"],
  ["no", "oauth_org_not_allowed", 403, "auth_invalid"],
  ["no", "rate_limit", 429, "rate_limited"],
  ["no", "overloaded", 529, "overloaded"],
  ["no", "billing_error", undefined, "billing_error"],
  ["no", "unknown", 529, "overloaded"],
  ["API Error: 529 Overloaded", undefined, undefined, "overloaded"],
  ["no", undefined, 429, "rate_limited"],
  ["no", undefined, 400, "invalid_request"],
  ["no", undefined, 500, "provider_error"],
  ["connect ECONNREFUSED", undefined, undefined, "connection_failed"],
  ["connection reset", undefined, 500, "provider_error"],
  ["Request timed out", undefined, undefined, "timeout"],
  ["Request timed out", undefined, 500, "provider_error"],
  ["no", undefined, undefined, "provider_error"],
])("%s (%s, status %s) is %s", (message, error, status, code) => {
  const data = errorData({ message, error, status });
  expect(data).toMatchObject({ code, message: expect.stringContaining(message) });
  expect(data.details).toEqual({ ...(error && { error }), ...(status && { status }) });
});
