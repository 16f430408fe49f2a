/** Changes of files are emitted in the session's log while they happen, with their turn and tool call. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { checkEvents } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { changesOf, git, put, startProject } from "./project.ts";

describe("a file that a tool", () => {
  test.each([
    ["creates", "echo 1 > new.txt", { path: "new.txt", kind: "created" }],
    ["changes", "echo 2 >> old.txt", { path: "old.txt", kind: "modified" }],
    ["makes executable", "chmod +x old.txt", { path: "old.txt", kind: "modified" }],
    // What comes from outside comes at once; a file that is written here and then renamed may be seen in between.
    ["replaces", 'echo 2 > "$PWD.new" && mv "$PWD.new" old.txt', { path: "old.txt", kind: "modified" }],
    ["deletes", "rm old.txt", { path: "old.txt", kind: "deleted" }],
    ["renames", "mv old.txt new.txt", { path: "new.txt", kind: "renamed", from: "old.txt" }],
    ["moves with its directory", "mv sub dir", { path: "dir/deep.txt", kind: "renamed", from: "sub/deep.txt" }],
    ["creates in a new directory", "mkdir -p a/b && echo 1 > a/b/c", { path: "a/b/c", kind: "created" }],
    ["links", "ln -s old.txt link", { path: "link", kind: "created" }],
    ["names strangely", "echo 1 > 'a b\"ü\n.txt'", { path: 'a b"ü\n.txt', kind: "created" }],
  ])("%s is told", async (_, command, change) => {
    const project = await startProject({ "old.txt": "1\n", "sub/deep.txt": "1\n" });
    await project.turn(`sh ${command}`);
    expect(await project.told()).toEqual([{ turn_id: "turn_1", changes: [{ ...change, call_id: "call_1" }] }]);
  });
});

describe("changes", () => {
  test("are emitted without a tool call", async () => {
    const project = await startProject();
    await project.turn("quiet echo 1 > secret.txt");
    expect(await project.told()).toEqual([{ turn_id: "turn_1", changes: [{ path: "secret.txt", kind: "created" }] }]);
  });

  test("are emitted while the turn runs", async () => {
    const project = await startProject();
    await project.client.send("p", "hold echo 1 > new.txt");
    const stream = await project.client.open("/v1/sessions/p/events/sse");
    const frames = await stream.until((event) => event.type === "file.changed" || event.type === "turn.ended");
    expect(frames.at(-1)?.event).toMatchObject({ type: "file.changed", data: { turn_id: "turn_1" } });
    await stream.close();
    await project.client.post("/v1/sessions/p/abort");
  });

  test("between turns belong to none", async () => {
    const project = await startProject();
    await project.turn("sh true");
    put(project.directory, "mine.txt", "1");
    await project.client.post("/v1/sessions/p/checkpoints");
    await project.turn("sh echo 1 > theirs.txt");
    expect(changesOf(await project.told()).map(({ path }) => path)).toEqual(["theirs.txt"]);
  });

  test("belong to the turn they happened in", async () => {
    const project = await startProject();
    await project.turn("sh echo 1 > one.txt");
    await project.turn("sh echo 2 > two.txt");
    const told = (await project.told()).map(({ turn_id, changes }) => [turn_id, changes.map(({ path }) => path)]);
    expect(told).toEqual([
      ["turn_1", ["one.txt"]],
      ["turn_2", ["two.txt"]],
    ]);
  });

  test("are emitted in every session that has a turn in the directory", async () => {
    const project = await startProject();
    await project.client.create("other", { directory: project.directory });
    await project.client.send("other", "hold true");
    await project.turn("sh echo 1 > shared.txt");
    await project.told();
    await project.client.post("/v1/sessions/other/abort");
    const events = await project.client.events("other");
    const told = events.flatMap((event) => (event.type === "file.changed" ? event.data.changes : []));
    expect(told.map(({ path }) => path)).toEqual(["shared.txt"]);
  });

  test("of ignored files are not emitted", async () => {
    const project = await startProject({ ".gitignore": "*.log\n/out/\n!keep.log\n", "sub/.gitignore": "local\n" });
    await project.turn(
      "sh mkdir -p node_modules/x .git out sub/local && touch node_modules/x/a .git/b out/c sub/local/d e.log && touch keep.log sub/f",
    );
    expect(changesOf(await project.told()).map(({ path }) => path)).toEqual(["keep.log", "sub/f"]);
  });

  test("of files that the parent repository ignores are not emitted", async () => {
    const project = await startProject({ ".gitignore": "*.log\n", "pkg/a.txt": "1" });
    git(project.directory, "init", "--quiet");
    await project.client.create("below", { directory: join(project.directory, "pkg") });
    await project.client.send("below", "sh touch b.log c.txt");
    await project.client.wait("below");
    await project.client.get("/v1/sessions/below/diff");
    const events = await project.client.events("below");
    const told = events.flatMap((event) => (event.type === "file.changed" ? event.data.changes : []));
    expect(told.map(({ path }) => path)).toEqual(["c.txt"]);
  });

  test("behind a link to another directory are not followed", async () => {
    const project = await startProject();
    const elsewhere = await startProject();
    symlinkSync(elsewhere.directory, join(project.directory, "link"));
    await project.client.post("/v1/sessions/p/checkpoints");
    await project.turn("sh touch link/x && touch y");
    expect(changesOf(await project.told()).map(({ path }) => path)).toEqual(["y"]);
  });

  test("of ten thousand files at once are all emitted", async () => {
    const project = await startProject();
    await project.turn(
      "quiet i=0; while [ $i -lt 10000 ]; do echo $i > f$i; i=$((i+1)); done; rm f1 f2; echo last > f3",
    );
    const told = await project.told();
    const state = new Set<string>();
    for (const { path, kind } of told.flatMap(({ changes }) => changes)) {
      if (kind === "deleted") state.delete(path);
      else state.add(path);
    }
    expect(state.size).toBe(9998);
    expect(Math.max(...told.map(({ changes }) => changes.length))).toBeLessThanOrEqual(500);
    expect(checkEvents(await project.client.events("p"), { finished: true })).toEqual([]);
    expect((await project.diff("?turn=1")).files).toHaveLength(9998);
  }, 120_000);

  test("are found in directories that were created between turns", async () => {
    const project = await startProject({ "a.txt": "1" });
    await project.turn("sh rm a.txt");
    mkdirSync(join(project.directory, "new"));
    await project.turn("sh touch new/b.txt");
    expect(changesOf(await project.told()).map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      "deleted a.txt",
      "created new/b.txt",
    ]);
  });
});
