/** Another user of the machine, who reads whatever permissions let him read of a daemon's files. */
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { type DaemonProcess, spawnDaemon, temporaryDirectory } from "../harness/daemon.ts";

const isRoot = process.getuid?.() === 0;
const modeOf = (path: string) => statSync(path).mode & 0o777;

/** All that is there, without links. */
function everythingIn(directory: string): string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** Paths on which others have any right. */
function openIn(directory: string): string[] {
  return everythingIn(directory).filter((path) => (lstatSync(path).mode & 0o077) !== 0);
}

/** What `nobody` finds and can read below a directory. */
function readableToOthers(directory: string): string[] {
  const script = 'find "$1" -mindepth 1 -readable 2>/dev/null; true';
  const { stdout } = Bun.spawnSync([
    "setpriv",
    "--reuid=65534",
    "--regid=65534",
    "--clear-groups",
    "sh",
    "-c",
    script,
    "sh",
    directory,
  ]);
  return stdout.toString().split("\n").filter(Boolean);
}

/** A daemon that has written every kind of file: events, checkpoints, attachments, output, logs, definitions, the audit log. */
async function used(
  dataDir: string,
  project = temporaryDirectory(),
): Promise<{ client: TestClient; daemon: DaemonProcess }> {
  // The umask that most systems have, whatever this process was started with.
  const before = process.umask(0o022);
  onTestFinished(() => void process.umask(before));
  const daemon = await spawnDaemon(dataDir, [], { SANDBOX_AGENT_LOG: "info" });
  const client = new TestClient(daemon.url);
  writeFileSync(join(project, ".env"), "KEY=in-the-project", { mode: 0o600 });
  const skill = join(project, "skill", "my-skill");
  mkdirSync(skill, { recursive: true });
  writeFileSync(join(skill, "SKILL.md"), "---\nname: my-skill\ndescription: x\n---\n");
  Bun.spawnSync(["git", "init", "-q"], { cwd: skill });
  Bun.spawnSync(["git", "add", "."], { cwd: skill });
  Bun.spawnSync(["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"], { cwd: skill });
  const attachment = { url: `data:text/plain;base64,${btoa("attached")}`, mime: "text/plain", filename: "a.txt" };
  await client.create("s", { directory: project, skills: { sources: [{ type: "git", source: `file://${skill}` }] } });
  await client.stream("s", "hello");
  expect((await client.post("/v1/sessions/s/checkpoints", {})).status).toBeLessThan(300);
  await client.post("/opencode/session/s/message", {
    parts: [
      { type: "file", ...attachment },
      { type: "text", text: "x" },
    ],
  });
  await client.call("PUT", "/v1/agents/mine", { body: { command: "sh", env: { KEY: "secret" } } });
  await client.post("/v1/processes", { command: "sh", args: ["-c", "echo output; sleep 60"] });
  await client.post("/v1/processes", { command: "sh", tty: true });
  return { client, daemon };
}

const kinds = [
  "events.db",
  "lock",
  "logs",
  "audit",
  "checkpoints",
  "attachments",
  "processes",
  "skills",
  "agents.json",
];

describe("a new data directory", () => {
  test("is for its user alone, and so is everything in it", async () => {
    const dataDir = join(temporaryDirectory(), "below", "data");
    await used(dataDir);
    expect(readdirSync(dataDir)).toEqual(expect.arrayContaining(kinds));
    expect(modeOf(dataDir)).toBe(0o700);
    // Files of a skill are those of its repository, below a directory of ours.
    expect(openIn(dataDir).filter((path) => !path.includes("/skills/"))).toEqual([]);
    expect(modeOf(join(dataDir, "skills"))).toBe(0o700);
    if (isRoot) expect(readableToOthers(dataDir)).toEqual([]);
  });

  test("does not change what processes and files of the user get", async () => {
    const project = temporaryDirectory();
    const { client } = await used(join(temporaryDirectory(), "data"), project);
    const { json } = await client.post("/v1/processes/run", { command: "sh", args: ["-c", "umask"] });
    expect(json.stdout.trim()).toBe("0022");
    await client.fetch("PUT", `/v1/fs/file?path=${encodeURIComponent(join(project, "written"))}`, {
      body: new TextEncoder().encode("x"),
      headers: { "content-type": "application/octet-stream" },
    });
    expect(modeOf(join(project, "written"))).toBe(0o644);
  });
});

test("an old data directory that others can read is closed at the start, and all of it soon after", async () => {
  const dataDir = join(temporaryDirectory(), "data");
  const first = await used(dataDir);
  first.daemon.kill("SIGTERM");
  await first.daemon.exited;
  for (const path of [dataDir, ...everythingIn(dataDir)])
    chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o644);
  mkdirSync(join(dataDir, "bin"), { recursive: true });
  writeFileSync(join(dataDir, "bin", "program"), "#!/bin/sh\n", { mode: 0o755 });

  const second = await spawnDaemon(dataDir);
  expect(modeOf(dataDir)).toBe(0o700);
  await expect.poll(() => openIn(dataDir).filter((path) => !path.includes("/bin/")), { timeout: 10_000 }).toEqual([]);
  expect(modeOf(join(dataDir, "bin", "program"))).toBe(0o755);
  expect((await new TestClient(second.url).get("/v1/sessions/s/checkpoints")).status).toBe(200);
});

describe("a directory with files of others", () => {
  test("keeps its permissions and theirs; what the daemon writes is private", async () => {
    const dataDir = temporaryDirectory();
    chmodSync(dataDir, 0o755);
    mkdirSync(join(dataDir, "bin"), { mode: 0o755 });
    mkdirSync(join(dataDir, "photos"), { mode: 0o755 });
    writeFileSync(join(dataDir, "notes.txt"), "for all", { mode: 0o644 });
    const { daemon } = await used(dataDir);
    expect([dataDir, join(dataDir, "bin"), join(dataDir, "photos")].map(modeOf)).toEqual([0o755, 0o755, 0o755]);
    expect(modeOf(join(dataDir, "notes.txt"))).toBe(0o644);
    const theirs = ["bin", "photos", "notes.txt"].map((name) => join(dataDir, name));
    if (isRoot) expect(readableToOthers(dataDir).toSorted()).toEqual(theirs.toSorted());
    daemon.kill("SIGTERM");
    await daemon.exited;

    // As an earlier version has left it.
    for (const name of ["events.db", "checkpoints", "attachments", "audit"])
      chmodSync(join(dataDir, name), statSync(join(dataDir, name)).isDirectory() ? 0o755 : 0o644);
    const again = await spawnDaemon(dataDir);
    if (isRoot) expect(readableToOthers(dataDir).toSorted()).toEqual(theirs.toSorted());
    expect(modeOf(dataDir)).toBe(0o755);
    again.kill("SIGTERM");
    await again.exited;
    const log = await Bun.file(join(dataDir, "logs", "sandbox-agent.log")).text();
    expect(log).toContain("contains files of other programs, such as");
  });

  test("that only systems have put there do not count", async () => {
    const dataDir = temporaryDirectory();
    chmodSync(dataDir, 0o755);
    mkdirSync(join(dataDir, "lost+found"));
    await spawnDaemon(dataDir);
    expect(modeOf(dataDir)).toBe(0o700);
    rmSync(join(dataDir, "lost+found"), { recursive: true });
  });
});
