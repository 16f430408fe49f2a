/** A fork with a real agent: Claude Code starts a new conversation and knows the history of the other one. */
import { type TranscriptItem, textOf } from "@sandbox-agent/schema";
import { expect, test } from "vitest";
import { startLab } from "./claude-lab.ts";

test("the agent of a fork gets the history once, and remembers it", { timeout: 180_000 }, async () => {
  const lab = await startLab();
  await lab.create("origin");
  await lab.prompt("origin", "the word is apple");
  const { json } = await lab.client.post("/v1/sessions/origin/fork", { sessionId: "copy" });
  await lab.prompt("copy", "what was it?");
  await lab.prompt("copy", "and now?");
  const { items } = (await lab.client.get("/v1/sessions/copy/transcript")).json;
  const said = items
    .filter(({ kind }: TranscriptItem) => kind === "message")
    .map(({ content }: TranscriptItem) => textOf(content));
  expect(said.slice(0, 3)).toEqual(["the word is apple", "You said: the word is apple", "what was it?"]);
  expect(said[3]).toContain("User: the word is apple");
  expect(said.slice(4)).toEqual(["and now?", "You said: and now?"]);
  await lab.check("copy");
  const natives = await Promise.all(["origin", "copy"].map((id) => lab.client.get(`/v1/sessions/${id}`)));
  expect(new Set(natives.map((answer) => answer.json.nativeSessionId)).size).toBe(2);
  expect(json).toMatchObject({ agent: "claude" });
});
