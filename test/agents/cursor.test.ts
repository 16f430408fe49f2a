/**
 * Cursor behind a real daemon. Its program is not to be had without an account, so a stand-in plays the conversations of
 * its documentation; the real one is asked when it is installed and CURSOR_API_KEY is set.
 */
import { join } from "node:path";
import { createInstaller } from "@sandbox-agent/agents";
import { checkEvents } from "@sandbox-agent/schema";
import { expect, test } from "vitest";
import { cursorExtensions } from "../../packages/agents/src/cursor/extensions.ts";
import { cursorProfile } from "../../packages/agents/src/cursor/profile.ts";
import { openLab, programInstaller } from "./acp-lab.ts";
import { readRecording, replay } from "./acp-replay.ts";
import { endOf, itemsOf, texts } from "./reading.ts";

const timeoutMs = 120_000;
const fixtures = join(import.meta.dirname, "../fixtures/cursor");
const standin = join(import.meta.dirname, "cursor-standin.ts");

function playing(recording: string) {
  const installer = programInstaller([process.execPath, standin, join(fixtures, recording)]);
  return openLab({ profile: { ...cursorProfile, args: [] }, installer });
}

test("a permission and a question", { timeout: timeoutMs }, async () => {
  const lab = await playing("docs-acp-permission-and-question.jsonl");
  await lab.create("s");
  await lab.send("s", "Push the branch");
  await lab.allow("s", "once");
  await lab.seen("s", ({ type }) => type === "question.requested");
  const { questions } = await lab.pending("s");
  expect(questions).toMatchObject([{ prompt: "Next step\nOpen a pull request?", options: ["Yes", "No"] }]);
  await lab.answer("s", [["No"]]);
  await lab.wait("s", "idle");
  const events = await lab.client.events("s");
  expect(texts(events)).toEqual(["Pushed."]);
  expect(endOf(events)).toBe("completed");
  await lab.check("s");
  await lab.close();
});

test("a plan to approve, and its notes", { timeout: timeoutMs }, async () => {
  const lab = await playing("docs-acp-plan-and-notes.jsonl");
  await lab.create("s");
  await lab.send("s", "Plan it");
  const { questions } = await lab.pending("s");
  expect(questions).toMatchObject([{ options: ["Approve", "Reject"], metadata: { plan: "1. Look\n2. Tidy" } }]);
  await lab.answer("s", [["Approve"]]);
  await lab.wait("s", "idle");
  const events = await lab.client.events("s");
  const labels = itemsOf(events, "status").map(({ content: [part] }) => part?.type === "status" && part.label);
  expect(labels).toEqual(["Todo list", "Subagent", "Image"]);
  expect(texts(events)).toEqual(["Planned."]);
  await lab.check("s");
  await lab.close();
});

test("a plan that is not approved is rejected with the reason", () => {
  const asked = cursorExtensions.request?.("cursor/create_plan", { plan: "Tidy." });
  if (asked?.kind !== "question") throw new Error("a plan is a question");
  expect(asked.result([["Reject", "not now"]])).toEqual({ outcome: { outcome: "rejected", reason: "not now" } });
  expect(asked.result(null)).toEqual({ outcome: { outcome: "rejected" } });
});

test("several choices, and an answer in other words", () => {
  const options = ["a", "b"].map((id) => ({ id, label: id.toUpperCase() }));
  const questions = [{ id: "q", prompt: "Which?", options, allowMultiple: true }];
  const asked = cursorExtensions.request?.("cursor/ask_question", { questions });
  if (asked?.kind !== "question") throw new Error("it is a question");
  expect(asked.result([["A", "B"]])).toEqual({
    outcome: { outcome: "answered", answers: [{ questionId: "q", selectedOptionIds: ["a", "b"] }] },
  });
  expect(asked.result([["neither"]])).toEqual({ outcome: { outcome: "skipped", reason: "neither" } });
  expect(asked.result(null)).toEqual({ outcome: { outcome: "skipped" } });
});

test.each(["docs-acp-permission-and-question.jsonl", "docs-acp-plan-and-notes.jsonl"])(
  "the recording %s is read without a remainder",
  (name) => {
    const events = replay(readRecording(join(fixtures, name)), cursorExtensions);
    expect(checkEvents(events, { finished: true })).toEqual([]);
  },
);

const installed = await createInstaller({ directory: "/nonexistent", env: process.env }).find("cursor");
const key = process.env.CURSOR_API_KEY;

test.skipIf(!installed || !key)("the real Cursor answers", { timeout: timeoutMs }, async () => {
  const installer = programInstaller(installed?.command ?? []);
  const lab = await openLab({ profile: cursorProfile, installer, env: { CURSOR_API_KEY: key ?? "" } });
  await lab.create("s");
  const events = await lab.turn("s", "Answer with the single word pomegranate.");
  expect(texts(events).join("").toLowerCase()).toContain("pomegranate");
  await lab.close();
});
