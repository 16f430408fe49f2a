import { describe, expect, test } from "vitest";
import type { RpcMessage } from "../../process/json-rpc.ts";
import { createTranslator } from "./translator.ts";

const address = { threadId: "root", turnId: "t1" };

function translator(hasKey = true) {
  return createTranslator({ threadId: "root", serverId: "run", hasKey });
}

function item(type: string, more: Record<string, unknown> = {}): RpcMessage {
  return { method: "item/completed", params: { ...address, item: { type, id: "i1", ...more } } };
}

function failure(codexErrorInfo: unknown, willRetry: boolean, message = "it failed"): RpcMessage {
  return {
    method: "error",
    params: { ...address, willRetry, error: { message, codexErrorInfo, additionalDetails: null } },
  };
}

describe("unknown messages", () => {
  test("an item of a new kind is passed on", () => {
    const message = item("hologram", { light: 1 });
    expect(translator().notification(message).drafts.at(-1)).toMatchObject({
      type: "item.completed",
      item: { kind: "unknown", content: [{ type: "json", json: message.params }] },
      raw: message,
    });
  });

  test("a new notification is passed on", () => {
    const message = { method: "moon/risen", params: { threadId: "root", phase: "full" } };
    expect(translator().notification(message).drafts.at(-1)).toMatchObject({ item: { kind: "unknown" }, raw: message });
  });

  test("a known item that is invalid is unparsed", () => {
    const message = item("agentMessage");
    expect(translator().notification(message).drafts).toMatchObject([
      { type: "agent.unparsed", unparsed: { location: "codex item/completed" }, raw: message },
    ]);
  });

  test("a new request is passed on and rejected", () => {
    const { drafts, reject } = translator().request(0, { id: 0, method: "moon/ask", params: { threadId: "root" } });
    expect(reject).toBe(true);
    expect(drafts.at(-1)).toMatchObject({ item: { kind: "unknown" } });
  });
});

describe("failures", () => {
  test("a rejected key stops the turn at the first attempt", () => {
    const { drafts, interrupt } = translator().notification(
      failure({ responseStreamDisconnected: { httpStatusCode: 401 } }, true),
    );
    expect(interrupt).toBe(true);
    expect(drafts).toMatchObject([{ type: "error", error: { code: "auth_invalid" } }]);
  });

  test.each<[unknown, string]>([
    [{ httpConnectionFailed: { httpStatusCode: 403 } }, "auth_invalid"],
    [{ responseTooManyFailedAttempts: { httpStatusCode: 429 } }, "rate_limited"],
    [{ httpConnectionFailed: { httpStatusCode: 529 } }, "overloaded"],
    [{ httpConnectionFailed: { httpStatusCode: null } }, "provider_unreachable"],
    ["internalServerError", "provider_error"],
    ["serverOverloaded", "overloaded"],
    ["contextWindowExceeded", "context_window_exceeded"],
    ["usageLimitExceeded", "quota_exceeded"],
    ["other", "provider_error"],
  ])("%j is %s", (info, code) => {
    expect(translator().notification(failure(info, false)).drafts).toMatchObject([{ type: "error", error: { code } }]);
  });

  test("without a key a rejection means that one is required", () => {
    const { drafts } = translator(false).notification(failure("unauthorized", false));
    expect(drafts).toMatchObject([{ error: { code: "auth_required" } }]);
  });

  test("a failure is emitted once, from the error or the end of the turn", () => {
    const codex = translator();
    codex.notification(failure("other", false));
    const error = { message: "it failed", codexErrorInfo: "other" };
    const end = { method: "turn/completed", params: { ...address, turn: { id: "t1", status: "failed", error } } };
    expect(codex.notification(end).drafts).toMatchObject([{ type: "turn.ended", reason: "failed" }]);
  });
});

test("a request that Codex resolves itself is withdrawn", () => {
  const codex = translator();
  codex.request(3, { id: 3, method: "item/commandExecution/requestApproval", params: { ...address, itemId: "i1" } });
  const resolved = { method: "serverRequest/resolved", params: { threadId: "root", requestId: 3 } };
  expect(codex.notification(resolved).drafts).toMatchObject([{ type: "request.withdrawn", request_id: "run-3" }]);
});

describe("a form of an MCP server", () => {
  const requestedSchema = {
    type: "object",
    properties: {
      env: { type: "string", enum: ["staging", "prod"] },
      sure: { type: "boolean" },
      count: { type: "integer" },
    },
  };
  const params = { ...address, serverName: "lab", message: "Deploy now?", mode: "form", _meta: null, requestedSchema };

  test("is a question per field", () => {
    const { drafts } = translator().request(1, { id: 1, method: "mcpServer/elicitation/request", params });
    expect(drafts).toMatchObject([
      { type: "question.requested", question: { prompt: "Deploy now?", options: ["staging", "prod"] } },
    ]);
  });

  test("is filled in with values of the right type", () => {
    const codex = translator();
    codex.request(1, { id: 1, method: "mcpServer/elicitation/request", params });
    const answer = codex.takeAnswer("run-1");
    const reply = answer?.on === "question" ? answer.reply([["prod"], ["Yes"], ["3"]]) : null;
    expect(reply).toEqual({ action: "accept", content: { env: "prod", sure: true, count: 3 }, _meta: null });
  });
});
