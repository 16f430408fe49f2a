import { describe, expect, test } from "vitest";
import { promptText } from "./prompt.ts";

describe("the prompt", () => {
  test("is the message", () => {
    expect(promptText({ number: 1, text: "hello", attachments: [] })).toBe("hello");
  });

  test("lists attachments after the message, with their names where they have one", () => {
    const attachments = [{ path: "/a.txt" }, { path: "/b.png", mime: "image/png", filename: "holiday" }];
    expect(promptText({ number: 1, text: "look", attachments })).toBe(
      "look\n\nAttachments:\n- /a.txt\n- /b.png (holiday)",
    );
  });
});
