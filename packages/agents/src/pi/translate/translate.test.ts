/** Small pieces of the translator that recordings do not reach. */
import { describe, expect, test } from "vitest";
import { errorData } from "./errors.ts";
import { approvedMode, questionReply } from "./requests.ts";
import { continuation } from "./tools.ts";
import { createTranslator } from "./translator.ts";

describe("the output of a command goes on", () => {
  const long = Array.from({ length: 100 }, (_, index) => `line ${index}\n`).join("");

  test.each([
    ["from nothing", "", "abc", "abc"],
    ["with what is new", "abc", "abcdef", "def"],
    ["also when its beginning is no longer repeated", long, `${long.slice(300)}more`, "more"],
    ["and starts anew when nothing of it is left", long, "something else", "something else"],
  ])("%s", (_, before, now, piece) => {
    expect(continuation(before, now)).toBe(piece);
  });
});

test.each([
  ['401 {"error":{"message":"invalid x-api-key"}}', "auth_invalid"],
  ["No API key found for anthropic.", "auth_required"],
  ["No model selected.", "auth_required"],
  ["OpenAI API error (429): slow down", "rate_limited"],
  ["503: upstream", "provider_error"],
  ["Request timed out.", "timeout"],
  ["fetch failed", "connection_failed"],
])("%s is %s", (message, code) => {
  expect(errorData(message).code).toBe(code);
});

test("replies have the format of their request", () => {
  expect(questionReply({ kind: "confirm" }, [["Yes"]], "default")).toEqual({ confirmed: true });
  expect(questionReply({ kind: "foreign" }, [["B"]], "default")).toEqual({ value: "B" });
  expect(questionReply({ kind: "plan" }, null, "default")).toEqual({ cancelled: true });
  expect(approvedMode([["Approve"]], "bypass")).toBe("bypass");
  expect(approvedMode([["Reject"]], "bypass")).toBeNull();
});

test("an unknown message is passed on, and an invalid one is unparsed", () => {
  const translator = createTranslator({ directory: "/" });
  expect(translator.translate({ type: "brand_new", more: 1 })).toMatchObject([
    { type: "item.completed", item: { kind: "unknown", content: [{ type: "json", json: { more: 1 } }] } },
  ]);
  expect(translator.translate({ type: "message_end" })).toMatchObject([{ type: "agent.unparsed" }]);
  const broken = { type: "extension_ui_request", id: "1", method: "input", title: "sandbox-agent/plan {" };
  expect(translator.translate(broken)).toMatchObject([{ type: "agent.unparsed" }]);
});
