/** Conversations with Amp, in both generations, through a real daemon and a real gate. The program is a stand-in. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { UniversalEvent } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../harness/daemon.ts";
import { startLab } from "./amp-lab.ts";
import { endOf, itemsOf, ofType, texts } from "./reading.ts";

const builds = ["v1790142911", "v1777266064"] as const;

function outputs(events: readonly UniversalEvent[]): string {
  return JSON.stringify(itemsOf(events).filter(({ kind }) => kind === "tool_result"));
}

describe.each(builds)("build %s", (build) => {
  test("a conversation has several turns, thoughts and figures, and leaves nothing behind", async () => {
    const lab = await startLab({ build });
    await lab.create("s");
    const first = await lab.prompt("s", "THINK SAY[hello world]");
    expect(texts(first)).toEqual(["hello world"]);
    expect(itemsOf(first).flatMap(({ content }) => content)).toContainEqual({
      type: "reasoning",
      text: "Considering the request.",
      visibility: "public",
    });
    expect(ofType(first, "turn.ended")[0]?.data.metadata).toMatchObject({
      reason: "completed",
      usage: { input_tokens: 100, output_tokens: 12 },
    });
    expect(texts(await lab.prompt("s", "RECALL"))).toEqual(["You said: THINK SAY[hello world]"]);
    const events = await lab.check("s");
    expect(events.at(-1)?.native_session_id).toMatch(/^T-/);
    await lab.stop();
  });

  test("a permission is requested, and an allowed call runs", async () => {
    const lab = await startLab({ build });
    await lab.create("s");
    const asked = await lab.prompt("s", "RUN[touch allowed.txt; echo ran] SAY[done]");
    const { metadata } = ofType(asked, "permission.requested")[0]?.data ?? {};
    expect(metadata).toMatchObject({
      command: "touch allowed.txt; echo ran",
      tool_use_id: expect.stringMatching(/^TU-/),
    });
    expect(existsSync(join(lab.directory, "allowed.txt"))).toBe(false);
    await lab.allow("s", "once");
    const events = await lab.finish("s");
    expect(existsSync(join(lab.directory, "allowed.txt"))).toBe(true);
    expect(outputs(events)).toContain("ran");
    expect(texts(events)).toContain("done");
    await lab.check("s");
    await lab.stop();
  });

  test("a rejected call does not run, and the model gets the reason", async () => {
    const lab = await startLab({ build });
    await lab.create("s");
    await lab.prompt("s", "RUN[touch refused.txt] SAY[a pity]");
    await lab.allow("s", "reject");
    const events = await lab.finish("s");
    expect(existsSync(join(lab.directory, "refused.txt"))).toBe(false);
    expect(outputs(events)).toContain("The user rejected this tool call.");
    expect(itemsOf(events).find(({ kind }) => kind === "tool_result")?.status).toBe("failed");
    expect(endOf(events)).toBe("completed");
    await lab.check("s");
  });

  test("plan mode reads and changes nothing", async () => {
    const lab = await startLab({ build });
    await lab.create("s", { permissionMode: "plan" });
    const events = await lab.prompt("s", "WAIT[1] RUN[touch planned.txt] SAY[the plan]");
    expect(outputs(events)).toMatch(/done.*Plan mode: nothing may be changed/s);
    expect(existsSync(join(lab.directory, "planned.txt"))).toBe(false);
    expect(ofType(events, "permission.requested")).toEqual([]);
    await lab.check("s");
  });

  test("bypass requests no permissions, and can be switched between turns", async () => {
    const lab = await startLab({ build });
    await lab.create("s", { permissionMode: "bypass" });
    expect(outputs(await lab.prompt("s", "RUN[echo free]"))).toContain("free");
    await lab.client.patch("/v1/sessions/s", { permissionMode: "default" });
    expect(ofType(await lab.prompt("s", "RUN[echo asked]"), "permission.requested")).toHaveLength(1);
    await lab.allow("s", "reject");
    await lab.finish("s");
    expect(texts(await lab.prompt("s", "RECALL"))).toEqual(["You said: RUN[echo free]"]);
    await lab.check("s");
  });

  test("an abort in a tool ends the turn, and the thread goes on", async () => {
    const lab = await startLab({ build });
    await lab.create("s", { permissionMode: "bypass" });
    await lab.client.send("s", "RUN[sleep 300]");
    await lab.seen("s", (event) => event.type === "item.completed" && event.data.item.kind === "tool_call");
    await lab.client.post("/v1/sessions/s/abort");
    expect(endOf(await lab.finish("s"))).toBe("aborted");
    expect(texts(await lab.prompt("s", "RECALL"))).toEqual(["You said: RUN[sleep 300]"]);
    await lab.check("s");
    await lab.stop();
  });

  test("an abort while a permission is open resolves it", async () => {
    const lab = await startLab({ build });
    await lab.create("s");
    await lab.prompt("s", "RUN[touch never.txt]");
    await lab.client.post("/v1/sessions/s/abort");
    const events = await lab.finish("s");
    expect(endOf(events)).toBe("aborted");
    expect(ofType(events, "permission.resolved")).toHaveLength(1);
    expect(existsSync(join(lab.directory, "never.txt"))).toBe(false);
    expect(texts(await lab.prompt("s", "SAY[still here]"))).toEqual(["still here"]);
    await lab.check("s");
    await lab.stop();
  });

  test("a conversation goes on after its idle process was closed, and after a restart of the daemon", async () => {
    const [dataDir, home] = [temporaryDirectory(), temporaryDirectory()];
    const before = await startLab({ build, dataDir, home, idleMs: 50 });
    await before.create("s");
    await before.prompt("s", "remember the number 42");
    while (before.processes().length > 0) await Bun.sleep(20);
    expect(texts(await before.prompt("s", "RECALL"))[0]).toContain("42");
    await before.stop();
    const after = await startLab({ dataDir, home, program: before.program });
    expect(texts(await after.prompt("s", "RECALL"))[0]).toContain("42");
    await after.check("s");
    await after.stop();
  });

  test("without JSON input each message gets a process of its own", async () => {
    const lab = await startLab({ build, lacks: "--stream-json-input" });
    await lab.create("s");
    expect(texts(await lab.prompt("s", "SAY[one]"))).toEqual(["one"]);
    expect(texts(await lab.prompt("s", "RECALL"))).toEqual(["You said: SAY[one]"]);
    await lab.check("s");
    await lab.stop();
  });
});

test("always is remembered for the tool", async () => {
  const lab = await startLab();
  await lab.create("s");
  await lab.prompt("s", "RUN[echo one]");
  await lab.allow("s", "always");
  await lab.finish("s");
  const events = await lab.prompt("s", "RUN[echo two]");
  expect(endOf(events)).toBe("completed");
  expect(outputs(events)).toContain("two");
  await lab.check("s");
});

test("acceptEdits lets edits through, with their diff, but not commands and not Amp's own settings", async () => {
  const lab = await startLab();
  await lab.create("s", { permissionMode: "acceptEdits" });
  const patch = (path: string) =>
    `CALL[apply_patch ${JSON.stringify({ patchText: `*** Begin Patch\n*** Add File: ${path}\n+fresh\n*** End Patch` })}] SAY[ok]`;
  const events = await lab.prompt("s", patch("new.txt"));
  expect(readFileSync(join(lab.directory, "new.txt"), "utf8")).toBe("fresh\n");
  expect(itemsOf(events).flatMap(({ content }) => content)).toContainEqual({
    type: "file_ref",
    path: "new.txt",
    action: "write",
    diff: "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+fresh\n",
  });
  expect(ofType(await lab.prompt("s", patch(".amp/settings.json")), "permission.requested")).toHaveLength(1);
  await lab.allow("s", "reject");
  await lab.finish("s");
  expect(ofType(await lab.prompt("s", "RUN[echo no]"), "permission.requested")).toHaveLength(1);
  await lab.allow("s", "reject");
  await lab.finish("s");
  await lab.check("s");
});

test("an image reaches the model, another file is named", async () => {
  const lab = await startLab();
  await lab.create("s");
  const image = join(lab.directory, "dot.png");
  writeFileSync(image, Buffer.from("iVBORw0KGgo=", "base64"));
  const attachments = [
    { path: image, mime: "image/png" },
    { path: "notes.txt", mime: "text/plain" },
  ];
  expect(texts(await lab.prompt("s", "IMAGES", { attachments }))).toEqual(["1 image"]);
  expect(texts(await lab.prompt("s", "RECALL"))[0]).toContain("notes.txt");
});

test("a message can interrupt the turn of a build whose loop is in the program", async () => {
  const lab = await startLab({ build: "v1777266064" });
  await lab.create("s", { permissionMode: "bypass" });
  await lab.client.send("s", "RUN[sleep 300]");
  await lab.seen("s", (event) => event.type === "item.completed" && event.data.item.kind === "tool_call");
  await lab.client.send("s", "SAY[steered]", { delivery: "steer" });
  const events = await lab.finish("s");
  expect(outputs(events)).toContain("user:interrupted");
  expect(texts(events).at(-1)).toBe("steered");
  expect(ofType(await lab.check("s"), "turn.ended")).toHaveLength(1);
  await lab.stop();
});

test("a thread keeps its mode: choosing another one emits a notice", async () => {
  const lab = await startLab();
  await lab.create("s", { model: "high" });
  await lab.prompt("s", "SAY[one]");
  await lab.client.patch("/v1/sessions/s", { model: "low" });
  const events = await lab.prompt("s", "SAY[two]");
  expect(texts(events)).toEqual(["two"]);
  const notices = itemsOf(events).flatMap(({ content }) => content.filter((part) => part.type === "status"));
  expect(notices).toMatchObject([
    { label: "Mode not changed", detail: expect.stringContaining("new session for low") },
  ]);
  await lab.check("s");
});
