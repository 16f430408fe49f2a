import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../../../test/harness/daemon.ts";
import { defaultLimits, type Limits } from "./limits.ts";
import { Workspace } from "./workspace.ts";

function workspaceWith(files: Record<string, string>, limits: Partial<Limits> = {}) {
  const [directory, gitDirectory] = [temporaryDirectory(), join(temporaryDirectory(), "git")];
  for (const [path, content] of Object.entries(files)) writeFileSync(join(directory, path), content);
  const workspace = new Workspace({ directory, gitDirectory, limits: { ...defaultLimits, ...limits }, idleMs: 0 });
  onTestFinished(() => workspace.close());
  return { directory, gitDirectory, workspace };
}

describe("a workspace", () => {
  test("has the same tree while nothing changes, and another when something does", async () => {
    const { directory, workspace } = workspaceWith({ a: "1" });
    const first = await workspace.snapshot("hinted");
    expect(await workspace.snapshot("hinted")).toBe(first);
    expect(await workspace.snapshot("now")).toBe(first);
    writeFileSync(join(directory, "a"), "2");
    expect(await workspace.snapshot("now")).not.toBe(first);
  });

  test("reports no problem when everything works", async () => {
    const { workspace } = workspaceWith({ a: "1" });
    await workspace.snapshot("now");
    expect(workspace.problem).toBeNull();
  });

  test.each([
    ["too many files", { files: 1 }, "it has more than 1 files"],
    ["too many directories", { directories: 0 }, "it has more than 0 directories"],
  ])("with %s is given up, with the reason", async (_, limits, cause) => {
    const { workspace } = workspaceWith({ a: "1", b: "2" }, limits);
    await expect(workspace.snapshot("now")).rejects.toThrow(cause);
    expect(workspace.problem).toEqual({
      watching: false,
      checkpoints: false,
      detail: expect.stringMatching(`is too large to watch: ${cause}`),
    });
  });

  test("with too many bytes is watched but has no checkpoints", async () => {
    const { workspace } = workspaceWith({ a: "12345" }, { totalBytes: 4 });
    await expect(workspace.snapshot("now")).rejects.toThrow("more than 4 bytes");
    expect(workspace.problem).toMatchObject({ watching: true, checkpoints: false });
  });

  test("does not store large files", async () => {
    const { directory, workspace } = workspaceWith({ small: "1", large: "12345" }, { fileBytes: 4 });
    const before = await workspace.snapshot("now");
    writeFileSync(join(directory, "large"), "123456");
    expect(await workspace.snapshot("now")).toBe(before);
    writeFileSync(join(directory, "large"), "1");
    const { files } = await workspace.diff(before, await workspace.snapshot("now"));
    expect(files.map(({ path }) => path)).toEqual(["large"]);
  });

  test("can be closed and used again", async () => {
    const { workspace } = workspaceWith({ a: "1" });
    const tree = await workspace.snapshot("now");
    await workspace.close();
    expect(await workspace.snapshot("hinted")).toBe(tree);
  });

  test("rebuilds a damaged index", async () => {
    const { gitDirectory, workspace } = workspaceWith({ a: "1" });
    const tree = await workspace.snapshot("now");
    await workspace.close();
    writeFileSync(join(gitDirectory, "index"), "no index");
    expect(await workspace.snapshot("now")).toBe(tree);
  });
});

/** A limit on watches can be set only in a separate namespace. */
const canLimit = Bun.spawnSync(["unshare", "-Ur", "sh", "-c", "echo 5 > /proc/sys/user/max_inotify_watches"], {
  stdout: "ignore",
  stderr: "ignore",
}).success;

test("a workspace that cannot watch all of its directories reports it, and misses nothing", ({ skip }) => {
  if (!canLimit) skip("namespaces cannot be made here");
  const directory = temporaryDirectory();
  const script = join(temporaryDirectory(), "limited.ts");
  writeFileSync(
    script,
    `import { mkdirSync, writeFileSync } from "node:fs";
     import { defaultLimits } from ${JSON.stringify(join(import.meta.dirname, "limits.ts"))};
     import { Workspace } from ${JSON.stringify(join(import.meta.dirname, "workspace.ts"))};
     const directory = ${JSON.stringify(directory)};
     for (let n = 0; n < 20; n++) {
       mkdirSync(directory + "/d" + n);
       writeFileSync(directory + "/d" + n + "/f", "1");
     }
     const workspace = new Workspace({ directory, gitDirectory: ${JSON.stringify(join(temporaryDirectory(), "git"))}, limits: defaultLimits, idleMs: 0 });
     const before = await workspace.snapshot("hinted");
     writeFileSync(directory + "/d19/f", "2");
     const { files } = await workspace.diff(before, await workspace.snapshot("hinted"));
     console.log(JSON.stringify({ trouble: workspace.problem, files: files.map(({ path }) => path) }));
     await workspace.close();`,
  );
  const limited = `echo 5 > /proc/sys/user/max_inotify_watches && exec ${process.execPath} ${script}`;
  const { stdout, stderr } = Bun.spawnSync(["unshare", "-Ur", "sh", "-c", limited]);
  expect(JSON.parse(stdout.toString() || stderr.toString())).toEqual({
    trouble: { watching: false, checkpoints: true, detail: expect.stringContaining("fs.inotify.max_user_watches") },
    files: ["d19/f"],
  });
});
