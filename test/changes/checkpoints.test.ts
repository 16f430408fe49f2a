/** Checkpoints and diffs: what a turn or a session changed, and the way back. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import type { Agent } from "@sandbox-agent/agents";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { TestClient } from "../harness/client.ts";
import { spawnDaemon, startTestClient, startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { expectProblem } from "../harness/problem.ts";
import { agentWithHands } from "./hands.ts";
import { changesOf, git, type Project, projectOf, put, startProject } from "./project.ts";

const contentOf = ({ directory }: Project, path: string) => readFileSync(join(directory, path), "utf8");

/** What it costs, however busy the machine is with other things. */
async function processorMs(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe("the diff", () => {
  test("of a turn is what that turn changed", async () => {
    const project = await startProject({ "a.txt": "one\n" });
    await project.turn("sh echo two >> a.txt");
    await project.turn("sh echo three >> a.txt && echo 1 > b.txt");
    const { files, diff, truncated } = await project.diff("?turn=2");
    expect(files).toEqual([
      { path: "a.txt", kind: "modified", additions: 1, deletions: 0, binary: false },
      { path: "b.txt", kind: "created", additions: 1, deletions: 0, binary: false },
    ]);
    expect(diff).toContain("--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,3 @@\n one\n two\n+three\n");
    expect(truncated).toBe(false);
  });

  test("of a turn does not include earlier changes of others", async () => {
    const project = await startProject({ "a.txt": "one\n" });
    await project.turn("sh true");
    put(project.directory, "mine.txt", "1");
    await project.client.post("/v1/sessions/p/checkpoints");
    await project.turn("sh echo 1 > theirs.txt");
    expect((await project.diff("?turn=turn_2")).files.map(({ path }) => path)).toEqual(["theirs.txt"]);
  });

  test("of the session is everything until now", async () => {
    const project = await startProject({ "a.txt": "one\n", "b.txt": "b\n" });
    await project.turn("sh echo two > a.txt");
    await project.turn("sh mv b.txt c.txt");
    put(project.directory, "mine.txt", "1\n");
    const { files } = await project.diff();
    expect(files.map(({ path, kind, from }) => [path, kind, from])).toEqual([
      ["a.txt", "modified", undefined],
      ["c.txt", "renamed", "b.txt"],
      ["mine.txt", "created", undefined],
    ]);
  });

  test("of a turn that runs is what it has changed so far", async () => {
    const project = await startProject();
    await project.client.send("p", "hold echo 1 > new.txt");
    const stream = await project.client.open("/v1/sessions/p/events/sse");
    await stream.until((event) => event.type === "item.completed" && event.data.item.kind === "tool_result");
    await stream.close();
    expect((await project.diff("?turn=1")).files.map(({ path }) => path)).toEqual(["new.txt"]);
    await project.client.post("/v1/sessions/p/abort");
  });

  test("marks binary files", async () => {
    const project = await startProject();
    await project.turn("sh printf 'a\\000b' > data.bin");
    const { files, diff } = await project.diff();
    expect(files).toEqual([{ path: "data.bin", kind: "created", additions: 0, deletions: 0, binary: true }]);
    expect(diff).toContain("Binary files /dev/null and b/data.bin differ");
  });

  test("that is too long ends early, with all of its files", async () => {
    const project = await startProject();
    await project.turn("sh seq 1 1000000 > a.txt && seq 1 1000000 > b.txt");
    const { files, diff, truncated } = await project.diff();
    expect(truncated).toBe(true);
    expect(diff.length).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(diff.endsWith("\n")).toBe(true);
    expect(files.map(({ additions }) => additions)).toEqual([1_000_000, 1_000_000]);
  });

  test("works in a git repository, which is not changed", async () => {
    const project = await startProject({ "a.txt": "one\n" });
    git(project.directory, "init", "--quiet");
    git(project.directory, "add", ".");
    git(project.directory, "commit", "--quiet", "--message", "first");
    put(project.directory, "staged.txt", "1\n");
    git(project.directory, "add", "staged.txt");
    const state = () => [
      git(project.directory, "status", "--porcelain"),
      git(project.directory, "count-objects", "-v"),
      git(project.directory, "for-each-ref"),
      readFileSync(join(project.directory, ".git/index"), "base64"),
      readFileSync(join(project.directory, ".git/config"), "utf8"),
    ];
    await project.client.post("/v1/sessions/p/checkpoints");
    const before = state();
    await project.turn("sh echo two >> a.txt");
    expect((await project.diff("?turn=1")).files.map(({ path }) => path)).toEqual(["a.txt"]);
    git(project.directory, "checkout", "--quiet", "a.txt");
    expect(state().slice(0, 3)).toEqual(before.slice(0, 3));
    expect(state()[4]).toBe(before[4]);
  });

  test("of a turn that a crash interrupted has its changes", async () => {
    const [dataDir, directory] = [temporaryDirectory(), temporaryDirectory()];
    const daemon = await spawnDaemon(dataDir);
    const project = projectOf(new TestClient(daemon.url), directory);
    await project.client.create("p", { directory });
    await project.client.post("/v1/sessions/p/checkpoints");
    await project.client.send("p", "hang");
    await vi.waitFor(async () => expect(await project.checkpoints()).toHaveLength(2), { timeout: 60_000 });
    put(directory, "left.txt", "1\n");
    daemon.kill("SIGKILL");
    await daemon.exited;
    const again = projectOf(new TestClient((await spawnDaemon(dataDir)).url), directory);
    expect((await again.diff("?turn=1")).files.map(({ path }) => path)).toEqual(["left.txt"]);
  });

  test.each([
    ["a turn that was not", "?turn=7", "not_found"],
    ["no number", "?turn=last", "invalid_request"],
    ["zero", "?turn=0", "invalid_request"],
  ] as const)("of %s is a problem", async (_, query, kind) => {
    const project = await startProject();
    const answer = await project.client.get(`/v1/sessions/p/diff${query}`);
    expect(answer.json.type).toBe(`urn:sandbox-agent:error:${kind}`);
  });
});

test("a session that is deleted in a turn leaves no checkpoint, however long its agent takes to end", async () => {
  const dataDir = temporaryDirectory();
  const slow = new Map([...agentWithHands()].map(([id, agent]): [string, Agent] => [id, endless(agent)]));
  const client = await startTestClient({ dataDir }, slow);
  const directory = temporaryDirectory();
  await client.create("p", { directory });
  await client.send("p", "hold touch made");
  const reader = await client.open("/v1/sessions/p/events/sse");
  await reader.until(({ type }) => type === "file.changed");
  await reader.close();
  await client.delete("/v1/sessions/p");
  expect(readdirSync(join(dataDir, "checkpoints"))).toEqual([]);
});

/** Its sessions never end when they are asked to. */
function endless(agent: Agent): Agent {
  return {
    ...agent,
    async open(spec, sink) {
      return { ...(await agent.open(spec, sink)), close: () => new Promise(() => {}) };
    },
  };
}

test("checkpoints that a crash left behind are deleted at the next start", async () => {
  const dataDir = temporaryDirectory();
  await (await startTestDaemon({ dataDir })).stop();
  const shadows = join(dataDir, "checkpoints");
  mkdirSync(join(shadows, "of-nobody"), { recursive: true });
  mkdirSync(join(shadows, "half-erased.stale"));
  await startTestClient({ dataDir });
  while (readdirSync(shadows).length > 0) await Bun.sleep(10);
});

describe("checkpoints", () => {
  test("are made by each turn and by clients", async () => {
    const project = await startProject({ "a.txt": "1" });
    await project.turn("sh echo 2 > a.txt");
    await project.diff();
    const { json, status } = await project.client.post("/v1/sessions/p/checkpoints", { title: "before lunch" });
    expect(status).toBe(200);
    const all = await project.checkpoints();
    expect(all.map(({ reason, turn, title }) => [reason, turn, title])).toEqual([
      ["turn_started", 1, null],
      ["turn_ended", 1, null],
      ["manual", null, "before lunch"],
    ]);
    expect(all[2]).toEqual(json);
    expect(all[0]?.tree).not.toBe(all[1]?.tree);
    expect(all[1]?.tree).toBe(all[2]?.tree);
  });

  test("are deleted with their session, and the shadow repository with the last one", async () => {
    const dataDir = temporaryDirectory();
    const project = await startProject({ "a.txt": "1" }, { dataDir });
    await project.client.create("other", { directory: project.directory });
    await project.client.post("/v1/sessions/p/checkpoints");
    await project.client.post("/v1/sessions/other/checkpoints");
    const shadows = () => [...new Bun.Glob("*/HEAD").scanSync({ cwd: join(dataDir, "checkpoints") })];
    await project.client.delete("/v1/sessions/p");
    expect(shadows()).toHaveLength(1);
    await project.client.delete("/v1/sessions/other");
    expect(shadows()).toEqual([]);
  });

  test("are deleted with their session during a turn", async () => {
    const dataDir = temporaryDirectory();
    const project = await startProject({ "a.txt": "1" }, { dataDir });
    await project.client.send("p", "hold true");
    expect((await project.client.delete("/v1/sessions/p")).status).toBe(204);
    await project.client.create("p", { directory: project.directory });
    expect(await project.checkpoints()).toEqual([]);
  });

  test("survive a restart of the daemon", async () => {
    const [dataDir, directory] = [temporaryDirectory(), temporaryDirectory()];
    put(directory, "a.txt", "before");
    const daemon = await spawnDaemon(dataDir);
    const client = new TestClient(daemon.url);
    await client.create("p", { directory });
    const { json: checkpoint } = await client.post("/v1/sessions/p/checkpoints");
    daemon.kill("SIGKILL");
    await daemon.exited;
    put(directory, "a.txt", "after");
    const project = projectOf(new TestClient((await spawnDaemon(dataDir)).url), directory);
    await project.client.post(`/v1/sessions/p/checkpoints/${checkpoint.checkpointId}/restore`);
    expect(contentOf(project, "a.txt")).toBe("before");
  });

  test("of twenty thousand unchanged files take less than 300 ms of a processor, and so does restoring one", async () => {
    const project = await startProject();
    for (let index = 0; index < 20_000; index += 1)
      put(project.directory, `d${index % 200}/f${index}.txt`, `${index}\n`);
    const first = await project.client.post("/v1/sessions/p/checkpoints");
    const path = "/v1/sessions/p/checkpoints";
    const [made, restored] = [[Number.POSITIVE_INFINITY], [Number.POSITIVE_INFINITY]];
    for (let run = 0; run < 4; run += 1) {
      made.push(
        await processorMs(async () => {
          expect((await project.client.post(path)).json.tree).toBe(first.json.tree);
        }),
      );
      restored.push(
        await processorMs(async () => {
          const { json } = await project.client.post(`${path}/${first.json.checkpointId}/restore`);
          expect(json.undo.tree).toBe(first.json.tree);
        }),
      );
    }
    expect([Math.min(...made), Math.min(...restored)].map((ms) => ms < 300)).toEqual([true, true]);
  }, 120_000);
});

describe("restoring a checkpoint", () => {
  async function checkpointed(files: Record<string, string>): Promise<{ project: Project; path: string }> {
    const project = await startProject(files);
    const { json } = await project.client.post("/v1/sessions/p/checkpoints");
    return { project, path: `/v1/sessions/p/checkpoints/${json.checkpointId}` };
  }

  test("brings back changed, deleted and renamed files and removes new ones", async () => {
    const { project, path } = await checkpointed({ "a.txt": "1", "b.txt": "2", "c/d.txt": "3" });
    await project.turn("sh echo x > a.txt; rm b.txt; mv c/d.txt e.txt; mkdir f; echo 1 > f/g.txt");
    const answer = await project.client.post(`${path}/restore`);
    expect(answer.status, answer.text).toBe(200);
    expect((await project.diff()).files).toEqual([]);
    expect([contentOf(project, "a.txt"), contentOf(project, "b.txt"), contentOf(project, "c/d.txt")]).toEqual([
      "1",
      "2",
      "3",
    ]);
    expect(existsSync(join(project.directory, "f"))).toBe(false);
  });

  test("can be previewed", async () => {
    const { project, path } = await checkpointed({ "a.txt": "1\n" });
    put(project.directory, "a.txt", "2\n");
    put(project.directory, "b.txt", "2\n");
    const { json } = await project.client.get(`${path}/preview`);
    expect(json.files.map(({ path, kind }: { path: string; kind: string }) => [path, kind])).toEqual([
      ["a.txt", "modified"],
      ["b.txt", "deleted"],
    ]);
    expect(json.diff).toContain("-2\n+1\n");
    expect(contentOf(project, "a.txt")).toBe("2\n");
  });

  test("can be undone", async () => {
    const { project, path } = await checkpointed({ "a.txt": "1" });
    put(project.directory, "a.txt", "2");
    const { json } = await project.client.post(`${path}/restore`);
    expect(contentOf(project, "a.txt")).toBe("1");
    await project.client.post(`/v1/sessions/p/checkpoints/${json.undo.checkpointId}/restore`);
    expect(contentOf(project, "a.txt")).toBe("2");
  });

  test("keeps files byte for byte, links and the right to execute, whatever attributes say", async () => {
    const project = await startProject({
      ".gitattributes": "* text=auto eol=crlf\n*.x filter=evil ident\n",
      "dos.txt": "a\r\nb\n",
      "f.x": "$Id$\n",
      "run.sh": "#!/bin/sh\n",
    });
    chmodSync(join(project.directory, "run.sh"), 0o755);
    symlinkSync("dos.txt", join(project.directory, "link"));
    const { json } = await project.client.post("/v1/sessions/p/checkpoints");
    await project.turn("sh rm -f dos.txt f.x run.sh link");
    await project.client.post(`/v1/sessions/p/checkpoints/${json.checkpointId}/restore`);
    expect([contentOf(project, "dos.txt"), contentOf(project, "f.x")]).toEqual(["a\r\nb\n", "$Id$\n"]);
    expect(statSync(join(project.directory, "run.sh")).mode & 0o111).toBe(0o111);
    expect(readlinkSync(join(project.directory, "link"))).toBe("dos.txt");
  });

  test("leaves ignored files alone", async () => {
    const { project, path } = await checkpointed({ ".gitignore": "*.log\n", "node_modules/x.js": "1", "a.log": "1" });
    put(project.directory, "a.log", "2");
    put(project.directory, "node_modules/x.js", "2");
    await project.client.post(`${path}/restore`);
    expect([contentOf(project, "a.log"), contentOf(project, "node_modules/x.js")]).toEqual(["2", "2"]);
  });

  test("of a directory that was replaced by a link writes nothing behind the link", async () => {
    const { project, path } = await checkpointed({ "sub/a.txt": "1" });
    const outside = temporaryDirectory();
    await project.turn(`sh rm -r sub && ln -s ${outside} sub`);
    await project.client.post(`${path}/restore`);
    expect(contentOf(project, "sub/a.txt")).toBe("1");
    expect(existsSync(join(outside, "a.txt"))).toBe(false);
  });

  test("covers repositories inside the directory", async () => {
    const project = await startProject({ "inner/a.txt": "1" });
    git(join(project.directory, "inner"), "init", "--quiet");
    const { json } = await project.client.post("/v1/sessions/p/checkpoints");
    put(project.directory, "inner/a.txt", "2");
    await project.client.post(`/v1/sessions/p/checkpoints/${json.checkpointId}/restore`);
    expect(contentOf(project, "inner/a.txt")).toBe("1");
  });

  test("is rejected while a turn runs in the directory", async () => {
    const { project, path } = await checkpointed({ "a.txt": "1" });
    await project.client.create("other", { directory: project.directory });
    await project.client.send("other", "hold true");
    const stream = await project.client.open("/v1/sessions/other/events/sse");
    await stream.until((event) => event.type === "item.completed" && event.data.item.kind === "tool_result");
    await stream.close();
    expectProblem(await project.client.post(`${path}/restore`), "conflict", { sessionId: "p" });
    await project.client.post("/v1/sessions/other/abort");
    expect((await project.client.post(`${path}/restore`)).status).toBe(200);
  });

  test.each(["preview", "restore"])("that does not exist is a problem: %s", async (action) => {
    const { client } = await startProject();
    const path = `/v1/sessions/p/checkpoints/ckp_99/${action}`;
    expectProblem(await client.call(action === "preview" ? "GET" : "POST", path), "not_found", { sessionId: "p" });
  });

  test("of another session is a problem", async () => {
    const { project, path } = await checkpointed({});
    await project.client.create("other", { directory: project.directory });
    expectProblem(await project.client.post(`${path.replace("/p/", "/other/")}/restore`), "not_found", {
      sessionId: "other",
    });
  });
});

describe("without checkpoints", () => {
  test("because git is missing, turns run and changes are emitted", async () => {
    vi.stubEnv("PATH", temporaryDirectory());
    onTestFinished(() => void vi.unstubAllEnvs());
    const project = await startProject();
    const { client } = project;
    await project.turn("sh echo 1 > a.txt");
    expectProblem(await client.post("/v1/sessions/p/checkpoints"), "checkpoints_unavailable", {
      sessionId: "p",
      detail: "checkpoints unavailable: git is not installed, and checkpoints need it",
    });
    expect(changesOf(await project.told()).map(({ path }) => path)).toEqual(["a.txt"]);
    const { json } = await client.get("/v1/sessions/p");
    expect(json.changes).toEqual({ watching: true, checkpoints: false, detail: expect.stringContaining("git") });
  });

  test("a session without a directory is reported", async () => {
    const client = await startTestClient();
    await client.create("p");
    expectProblem(await client.post("/v1/sessions/p/checkpoints"), "checkpoints_unavailable", {
      sessionId: "p",
      detail: expect.stringContaining("create a session with `directory`"),
    });
    expect((await client.get("/v1/sessions/p/checkpoints")).json).toEqual({ checkpoints: [] });
  });

  test("a home directory is not watched", async () => {
    const home = temporaryDirectory();
    vi.stubEnv("HOME", home);
    onTestFinished(() => void vi.unstubAllEnvs());
    const client = await startTestClient({}, agentWithHands());
    await client.create("p", { directory: home });
    const answer = await client.post("/v1/sessions/p/checkpoints");
    expectProblem(answer, "checkpoints_unavailable", { sessionId: "p", detail: expect.stringContaining("home") });
    const { json } = await client.get("/v1/sessions/p");
    expect(json.changes).toMatchObject({ watching: false, checkpoints: false });
  });

  test.each(["diff", "checkpoints"])("an unknown session is a problem: %s", async (what) => {
    const client = await startTestClient();
    expectProblem(await client.get(`/v1/sessions/none/${what}`), "session_not_found", { sessionId: "none" });
  });
});
