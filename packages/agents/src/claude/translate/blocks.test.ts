/** How what Claude Code streams and what comes as a whole become one item. */
import { describe, expect, test } from "vitest";
import { createTranslator, type Translator } from "./translator.ts";

const newTranslator = () => createTranslator({ nativeSessionId: null, isLogin: false });
const result = { type: "result", subtype: "success", is_error: false, result: "", terminal_reason: "completed" };
const streamed = (event: unknown, parent: string | null = null) => ({
  type: "stream_event",
  event,
  parent_tool_use_id: parent,
});
const message = (id: string, content: unknown[], model = "m") => ({ id, model, role: "assistant", content });
const whole = (id: string, content: unknown[], parent: string | null = null, model = "m") => ({
  type: "assistant",
  message: message(id, content, model),
  parent_tool_use_id: parent,
});

describe("blocks of the model", () => {
  const start = (index: number, content_block: object) =>
    streamed({ type: "content_block_start", index, content_block });
  const extend = (index: number, value: object) => streamed({ type: "content_block_delta", index, delta: value });
  const outline = (drafts: ReturnType<Translator["translate"]>) =>
    drafts.map((draft) => {
      if (draft.type === "item.delta") return [draft.type, draft.native_item_id, draft.delta];
      return "item" in draft ? [draft.type, draft.item.native_item_id, draft.item.content?.[0]] : [draft.type];
    });

  test("is streamed block by block and completed by the whole", () => {
    const translator = newTranslator();
    translator.translate(streamed({ type: "message_start", message: message("m", []) }));
    const drafts = [
      start(0, { type: "thinking", thinking: "" }),
      extend(0, { type: "thinking_delta", thinking: "hm" }),
      extend(0, { type: "signature_delta", signature: "s" }),
      start(1, { type: "text", text: "" }),
      extend(1, { type: "text_delta", text: "hi" }),
      extend(7, { type: "text_delta", text: "lost" }),
      start(2, { type: "redacted_thinking", data: "x" }),
      whole("m", [{ type: "redacted_thinking", data: "x" }]),
      whole("m", [{ type: "thinking", thinking: "hm", signature: "s" }]),
      whole("m", [{ type: "text", text: "hi" }]),
      whole("m", [{ type: "text", text: "more" }]),
    ].flatMap((raw) => outline(translator.translate(raw)));
    expect(drafts).toEqual([
      ["item.started", "m:0", { type: "reasoning", text: "", visibility: "private" }],
      ["item.delta", "m:0", "hm"],
      ["item.started", "m:1", undefined],
      ["item.delta", "m:1", "hi"],
      ["item.completed", "m:whole0", { type: "reasoning", text: "", visibility: "private" }],
      ["item.completed", "m:0", { type: "reasoning", text: "hm", visibility: "public" }],
      ["item.completed", "m:1", { type: "text", text: "hi" }],
      ["item.completed", "m:whole1", { type: "text", text: "more" }],
    ]);
  });

  test("in a subagent is not streamed and never completes a message of the main agent", () => {
    const translator = newTranslator();
    translator.translate(streamed({ type: "message_start", message: message("m", []) }));
    translator.translate(start(0, { type: "text", text: "" }));
    const sub = streamed({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "sub" } }, "task");
    expect(translator.translate(sub)).toEqual([]);
    const own = whole(
      "s",
      [
        { type: "thinking", thinking: "" },
        { type: "text", text: "sub" },
      ],
      "task",
    );
    expect(outline(translator.translate(own))).toEqual([
      ["item.completed", "s:0", { type: "reasoning", text: "", visibility: "public" }],
      ["item.completed", "s:1", { type: "text", text: "sub" }],
    ]);
    expect(outline(translator.translate(whole("m", [{ type: "text", text: "main" }])))).toEqual([
      ["item.completed", "m:0", { type: "text", text: "main" }],
    ]);
  });

  test("again, after its stream broke off, completes what was streamed", () => {
    const translator = newTranslator();
    translator.translate(streamed({ type: "message_start", message: message("m", []) }));
    translator.translate(start(0, { type: "text", text: "" }));
    expect(outline(translator.translate(whole("again", [{ type: "text", text: "hi" }])))).toEqual([
      ["item.completed", "m:0", { type: "text", text: "hi" }],
    ]);
  });

  test("in a turn does not complete what was streamed in the one before", () => {
    const translator = newTranslator();
    translator.translate(streamed({ type: "message_start", message: message("m", []) }));
    translator.translate(start(0, { type: "text", text: "" }));
    translator.translate(result);
    expect(outline(translator.translate(whole("next", [{ type: "text", text: "hi" }])))).toEqual([
      ["item.completed", "next:0", { type: "text", text: "hi" }],
    ]);
  });

  test("about a failed call is the error of the turn, not a message", () => {
    const translator = newTranslator();
    translator.turn.send("u");
    const message = whole("own", [{ type: "text", text: "Credit balance is too low" }], null, "<synthetic>");
    expect(translator.translate({ ...message, error: "billing_error" })).toEqual([]);
    expect(translator.translate(result)).toMatchObject([
      { type: "error", error: { code: "billing_error", message: "Credit balance is too low" } },
      { type: "turn.ended", reason: "failed" },
    ]);
  });

  test("before it failed is shown", () => {
    const message = whole("m", [{ type: "text", text: "cut" }]);
    expect(outline(newTranslator().translate({ ...message, error: "max_output_tokens" }))).toHaveLength(1);
  });
});
