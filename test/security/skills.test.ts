/** Sources of skills stay in their folder, run no programs, prompt for nothing, and are limited in size. */
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packTar, type TarEntry } from "modern-tar";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { put } from "../changes/project.ts";
import { type Answer, TestClient } from "../harness/client.ts";
import { startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { expectProblem } from "../harness/problem.ts";
import { attributes, Canaries, commitAll, git, makeHostile, repositoryOf } from "./hostile-repository.ts";

interface Source {
  type: string;
  source: string;
  ref?: string;
  subpath?: string;
}

/** Nothing of the user who runs the tests, and no variables of a hook that may be running them. */
beforeEach(() => {
  vi.stubEnv("HOME", temporaryDirectory());
  onTestFinished(() => void vi.unstubAllEnvs());
});

async function start(allowUnverifiedDownloads = false) {
  const dataDir = temporaryDirectory();
  const { url } = await startTestDaemon({ dataDir, allowUnverifiedDownloads });
  const client = new TestClient(url, null);
  const kept = join(dataDir, "skills/kept/file");
  put(dataDir, "skills/kept/file", "of another session");
  put(dataDir, "skills/kept/other/SKILL.md", "# other\n");
  let count = 0;
  async function use(source: Source, directory = temporaryDirectory()): Promise<{ answer: Answer; directory: string }> {
    count += 1;
    return { directory, answer: await client.create(`s${count}`, { directory, skills: { sources: [source] } }) };
  }
  return { client, dataDir, use, kept };
}

const skill = { "one/SKILL.md": "# one\n", "one/data.txt": "data\n" };
const folders = [".agents/skills", ".claude/skills", ".opencode/skill"];
const linked = (directory: string) => readdirSync(join(directory, ".claude/skills"));

function expectNothingLinked(directory: string): void {
  expect(folders.filter((folder) => existsSync(join(directory, folder)))).toEqual([]);
}

/** A program in the place of ssh that runs what it is asked to on this machine. */
function stubSsh(): void {
  const path = join(temporaryDirectory(), "ssh");
  writeFileSync(path, '#!/bin/sh\nfor last; do :; done\nexec sh -c "$last"\n', { mode: 0o755 });
  vi.stubEnv("GIT_SSH_COMMAND", path);
}

describe("a source is rejected, and leaves everything else alone", () => {
  test.each<[string, Source]>([
    ["a name that leads upwards", { type: "git", source: "https://127.0.0.1:1/.." }],
    ["a path that leads upwards", { type: "git", source: "/tmp/.." }],
    ["a path of dots", { type: "git", source: "/tmp/." }],
    ["the root", { type: "git", source: "/" }],
    ["a hidden name", { type: "git", source: "https://127.0.0.1:1/.store" }],
    ["a host alone", { type: "git", source: "https://127.0.0.1:1" }],
    ["scp upwards", { type: "git", source: "host:.." }],
    ["a line break", { type: "git", source: "/tmp/a\nb" }],
    ["an escape sequence", { type: "git", source: "https://127.0.0.1:1/\u001b[2J" }],
    ["ext::", { type: "git", source: "ext::sh -c touch% CANARY% .git" }],
    ["fd::", { type: "git", source: "fd::17/foo" }],
    ["transport::", { type: "git", source: "https::https://127.0.0.1:1/x" }],
    ["an option", { type: "git", source: "--upload-pack=touch CANARY" }],
    ["an option in the place of a host", { type: "git", source: "ssh://-oProxyCommand=touch CANARY/x" }],
    ["an option in the place of a host after a user", { type: "git", source: "git@-oProxyCommand=touch CANARY:x" }],
    ["an option in the place of a host of scp", { type: "git", source: "-oProxyCommand=touch CANARY:x" }],
    ["plain http", { type: "git", source: "http://skills.example.com/x.git" }],
    ["http that looks like loopback", { type: "git", source: "http://127.0.0.1.example.com/x.git" }],
    ["git://", { type: "git", source: "git://skills.example.com/x.git" }],
    ["ftp://", { type: "git", source: "ftp://127.0.0.1:1/x.git" }],
    ["file:// of another host", { type: "git", source: "file://example.com/x" }],
    ["github upwards", { type: "github", source: "owner/.." }],
    ["github deeper", { type: "github", source: "owner/name/../../x" }],
    ["github option", { type: "github", source: "-x/y" }],
    ["github with a host", { type: "github", source: "user@example.com/x" }],
    ["an option as ref", { type: "git", source: "REPOSITORY", ref: "--upload-pack=touch CANARY" }],
    ["a refspec as ref", { type: "git", source: "REPOSITORY", ref: "main:refs/heads/x" }],
    ["a forced ref", { type: "git", source: "REPOSITORY", ref: "+main" }],
    ["a ref that leads upwards", { type: "git", source: "REPOSITORY", ref: "refs/heads/../../config" }],
    ["a ref with a line break", { type: "git", source: "REPOSITORY", ref: "main\nx" }],
    ["an empty ref", { type: "git", source: "REPOSITORY", ref: "" }],
    ["a subpath upwards", { type: "git", source: "REPOSITORY", subpath: ".." }],
    ["a subpath to other sources", { type: "git", source: "REPOSITORY", subpath: "../../kept" }],
    ["a subpath upwards from below", { type: "git", source: "REPOSITORY", subpath: "one/../../.." }],
    ["a subpath of a directory upwards", { type: "local", source: "REPOSITORY", subpath: "../x" }],
    ["an archive over plain http", { type: "archive", source: "http://skills.example.com/x.zip" }],
    ["an archive in a file://", { type: "archive", source: "file:///etc/hostname" }],
    ["an archive in an address", { type: "archive", source: "data://text/plain,x" }],
  ])("%s", async (_, { source, ref, ...rest }) => {
    const repository = repositoryOf(skill);
    const canary = join(temporaryDirectory(), "canary");
    const fill = (text: string) => text.replace("CANARY", canary).replace("REPOSITORY", repository);
    const { use, dataDir, kept } = await start();
    const { answer, directory } = await use({
      ...rest,
      source: fill(source),
      ...(ref !== undefined && { ref: fill(ref) }),
    });
    expectProblem(answer, "invalid_request", { detail: expect.stringContaining("skill source") });
    // It does not get as far as that.
    expect(answer.json.detail).not.toMatch(/could not fetch|cannot be downloaded|does not exist|no directory with/);
    expect([existsSync(canary), readFileSync(kept, "utf8")]).toEqual([false, "of another session"]);
    expect(existsSync(join(dataDir, "skills"))).toBe(true);
    expectNothingLinked(directory);
  });

  test("plain http and git:// are tried if that is allowed", async () => {
    const { use } = await start(true);
    const { answer } = await use({ type: "git", source: "git://127.0.0.1:1/x.git" });
    expectProblem(answer, "invalid_request", { detail: expect.stringContaining("git could not fetch it") });
  });
});

describe("a repository", () => {
  test.each([true, false])("that is hostile runs nothing (of this machine: %j)", async (isLocal) => {
    const canaries = new Canaries();
    const repository = repositoryOf({ ...skill, ".gitattributes": attributes });
    makeHostile(repository, canaries);
    // What programs like Git LFS put into the configuration of the user.
    const global = join(process.env.HOME ?? "", ".gitconfig");
    writeFileSync(
      global,
      `[filter "evil"]\n\tsmudge = ${canaries.program("global-smudge")}\n\trequired = true\n[core]\n\thooksPath = ${join(repository, ".git/other-hooks")}\n\tfsmonitor = ${canaries.program("global-fsmonitor")}\n[safe]\n\tdirectory = *\n`,
    );
    stubSsh();
    const { use } = await start();
    const source = isLocal ? repository : `ssh://host${repository}`;
    for (const _ of [1, 2]) {
      const { answer, directory } = await use({ type: "git", source });
      expect([answer.status, linked(directory)], answer.text).toEqual([200, ["one"]]);
      expect(readFileSync(join(directory, ".claude/skills/one/data.txt"), "utf8")).toBe("data\n");
    }
    expect(canaries.run()).toEqual([]);
  });

  test("of another machine is fetched, brought up to date, and kept when it cannot be reached", async () => {
    stubSsh();
    const repository = repositoryOf(skill);
    const { use } = await start();
    const source = { type: "git", source: `ssh://host${repository}`, ref: "main" };
    const first = await use(source);
    expect(first.answer.status, first.answer.text).toBe(200);
    put(repository, "two/SKILL.md", "# two\n");
    commitAll(repository);
    const second = await use(source);
    expect(linked(second.directory)).toEqual(["one", "two"]);
    const written = join(second.directory, ".claude/skills/one/data.txt");
    writeFileSync(written, "changed by an agent");
    const third = await use(source);
    expect(readFileSync(join(third.directory, ".claude/skills/one/data.txt"), "utf8")).toBe("data\n");
    vi.stubEnv("GIT_SSH_COMMAND", "false");
    const fourth = await use(source);
    expect(linked(fourth.directory)).toEqual(["one", "two"]);
    const other = await use({ ...source, ref: "other" });
    expectProblem(other.answer, "invalid_request", { detail: expect.stringContaining("git could not fetch it") });
  });

  test.each(["v1", "side", "refs/heads/side", "ID"])("is taken at %s, from both kinds of places", async (name) => {
    stubSsh();
    const repository = repositoryOf({ "old/SKILL.md": "# old\n" });
    git(repository, "tag", "--annotate", "--message", "first", "v1");
    git(repository, "branch", "side");
    const ref = name === "ID" ? git(repository, "rev-parse", "HEAD").trim() : name;
    put(repository, "new/SKILL.md", "# new\n");
    commitAll(repository);
    git(repository, "config", "uploadpack.allowAnySHA1InWant", "true");
    const { use } = await start();
    for (const source of [repository, `ssh://host${repository}`, `file://${repository}`]) {
      const { answer, directory } = await use({ type: "git", source, ref });
      expect([answer.status, linked(directory)], answer.text).toEqual([200, ["old"]]);
    }
  });

  test("is fetched without submodules, and its folder is not a repository", async () => {
    const canaries = new Canaries();
    const repository = repositoryOf(skill);
    const inner = repositoryOf({ "SKILL.md": "# inner\n" });
    git(repository, "submodule", "--quiet", "add", inner, "sub");
    put(repository, ".gitmodules", `[submodule "sub"]\n\tpath = sub\n\turl = ext::${canaries.program("submodule")}\n`);
    commitAll(repository);
    stubSsh();
    const { use } = await start();
    for (const source of [repository, `ssh://host${repository}`]) {
      const { answer, directory } = await use({ type: "git", source });
      expect([answer.status, linked(directory)], answer.text).toEqual([200, ["one"]]);
      const checkout = join(readlinkSync(join(directory, ".claude/skills/one")), "..");
      expect(readdirSync(checkout).toSorted()).toEqual([".gitmodules", "one", "sub"]);
      expect(readdirSync(join(checkout, "sub"))).toEqual([]);
    }
    expect(canaries.run()).toEqual([]);
  });

  test("that an agent has put into the folder of a skill is not used", async () => {
    const canaries = new Canaries();
    stubSsh();
    const repository = repositoryOf(skill);
    const { use } = await start();
    const source = { type: "git", source: `ssh://host${repository}` };
    const { directory } = await use(source);
    const checkout = join(readlinkSync(join(directory, ".claude/skills/one")), "..");
    makeHostile(repositoryOf({}, checkout), canaries);
    put(repository, "two/SKILL.md", "# two\n");
    commitAll(repository);
    const { answer, directory: second } = await use(source);
    expect([answer.status, linked(second)], answer.text).toEqual([200, ["one", "two"]]);
    expect(canaries.run()).toEqual([]);
    expect(existsSync(join(checkout, ".git"))).toBe(false);
  });

  const outside = "/etc/passwd";
  test.each<[string, Record<string, string>]>([
    ["an absolute link", { "one/passwd": outside }],
    ["a relative link", { "one/passwd": `../../../../../../../../../..${outside}` }],
    ["a link to the folder of all sources", { "one/others": "../../.." }],
    ["a skill that is a link", { evil: "/etc" }],
    ["a link that is made of two", { "one/deep": "../a/b/c", "a/b/c/up": "../../..", x: "a/b/c/up/.." }],
    ["a link through a link", { up: "..", "one/out": "../up/.." }],
  ])("with %s that leads out is rejected", async (_, links) => {
    stubSsh();
    const repository = repositoryOf(skill);
    for (const [path, to] of Object.entries(links)) {
      mkdirSync(join(repository, path, ".."), { recursive: true });
      symlinkSync(to, join(repository, path));
    }
    commitAll(repository);
    const { use, dataDir } = await start();
    for (const source of [repository, `ssh://host${repository}`]) {
      const { answer, directory } = await use({ type: "git", source });
      expectProblem(answer, "invalid_request", {
        detail: expect.stringMatching(/the link ".*" points outside the repository/),
      });
      expectNothingLinked(directory);
    }
    expect(readdirSync(join(dataDir, "skills"))).toEqual(["kept"]);
  });

  test("may have links that stay in it", async () => {
    const repository = repositoryOf({ ...skill, "shared/a.txt": "a\n" });
    symlinkSync("../shared/a.txt", join(repository, "one/a.txt"));
    symlinkSync("one", join(repository, "alias"));
    symlinkSync("missing", join(repository, "one/dangling"));
    commitAll(repository);
    const { use } = await start();
    const { answer, directory } = await use({ type: "git", source: repository });
    expect([answer.status, linked(directory).toSorted()], answer.text).toEqual([200, ["alias", "one"]]);
    expect(readFileSync(join(directory, ".claude/skills/one/a.txt"), "utf8")).toBe("a\n");
  });

  test("with too many files, or too many bytes, is rejected", async () => {
    const { use } = await start();
    const repository = repositoryOf(skill);
    const blob = git(repository, "rev-parse", "HEAD:one/data.txt").trim();
    const many = Array.from({ length: 10_001 }, (_, index) => `100644 blob ${blob}\tf${index}\n`).join("");
    commitTree(repository, many);
    const refused = await use({ type: "git", source: repository });
    expectProblem(refused.answer, "invalid_request", { detail: expect.stringContaining("more than 10000 files") });

    const large = join(repository, "large");
    writeFileSync(large, new Uint8Array(3 * 1024 * 1024));
    const id = git(repository, "hash-object", "-w", "large").trim();
    commitTree(repository, Array.from({ length: 100 }, (_, index) => `100644 blob ${id}\tf${index}\n`).join(""));
    const bytes = await use({ type: "git", source: repository });
    expectProblem(bytes.answer, "invalid_request", { detail: expect.stringContaining("larger than 268435456 bytes") });
  });

  test("with a skill whose name has control characters is rejected", async () => {
    const { use } = await start();
    const { answer, directory } = await use({ type: "git", source: repositoryOf({ "one\u001b[2J/SKILL.md": "x" }) });
    expectProblem(answer, "invalid_request", { detail: expect.stringContaining("cannot be the name of a skill") });
    expectNothingLinked(directory);
  });

  test("that wants a password gets none, and there is no prompt", async () => {
    const canaries = new Canaries();
    for (const name of ["GIT_ASKPASS", "SSH_ASKPASS"]) vi.stubEnv(name, canaries.program(name));
    writeFileSync(
      join(process.env.HOME ?? "", ".gitconfig"),
      `[core]\n\taskPass = ${canaries.program("core-askpass")}\n`,
    );
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response("", { status: 401, headers: { "WWW-Authenticate": 'Basic realm="x"' } }),
    });
    onTestFinished(() => server.stop(true));
    const { use } = await start();
    const { answer } = await use({ type: "git", source: `${server.url}x.git` });
    expectProblem(answer, "invalid_request", { detail: expect.stringContaining("git could not fetch it") });
    expect(canaries.run()).toEqual([]);
  });
});

describe("an archive", () => {
  const entry = (name: string, more: Partial<TarEntry["header"]> = {}, body = ""): TarEntry => ({
    header: { name, size: body.length, type: "file", ...more },
    body,
  });

  async function useArchive(entries: TarEntry[]) {
    const { use, dataDir, kept } = await start();
    const source = join(temporaryDirectory(), "pack.tar");
    writeFileSync(source, await packTar(entries));
    return { ...(await use({ type: "archive", source })), dataDir, kept };
  }

  test.each<[string, TarEntry]>([
    ["a name upwards", entry("../kept/file", {}, "evil")],
    ["a name upwards from below", entry("one/../../kept/file", {}, "evil")],
    ["an absolute name", entry("/tmp/evil-of-a-skill-archive", {}, "evil")],
    ["a path that is too deep", entry(`${"d/".repeat(200)}f`, {}, "evil")],
    ["a path that is too long", entry(`${"d".repeat(200)}/`.repeat(21), {}, "evil")],
  ])("with %s is rejected", async (_, hostile) => {
    const { answer, directory, dataDir, kept } = await useArchive([entry("one/SKILL.md", {}, "# one\n"), hostile]);
    expectProblem(answer, "invalid_request");
    expectNothingLinked(directory);
    expect(readFileSync(kept, "utf8")).toBe("of another session");
    expect(existsSync("/tmp/evil-of-a-skill-archive")).toBe(false);
    expect(readdirSync(join(dataDir, "skills"))).toEqual(["kept"]);
  });

  test("does not bring links, devices and pipes; of two entries with one name the later counts", async () => {
    const { answer, directory } = await useArchive([
      entry("one/SKILL.md", {}, "# one\n"),
      entry("one/link", { type: "symlink", linkname: "/etc" }),
      entry("one/hard", { type: "link", linkname: "/etc/passwd" }),
      entry("one/device", { type: "character-device" }),
      entry("one/pipe", { type: "fifo" }),
      entry("one/twice", {}, "first"),
      entry("one/twice", {}, "second"),
    ]);
    expect(answer.status, answer.text).toBe(200);
    const folder = join(directory, ".claude/skills/one");
    expect(readdirSync(folder).toSorted()).toEqual(["SKILL.md", "twice"]);
    expect(readFileSync(join(folder, "twice"), "utf8")).toBe("second");
  });

  test("with too many entries is rejected", async () => {
    const entries = Array.from({ length: 10_001 }, (_, index) => entry(`one/f${index}`));
    const { answer, dataDir } = await useArchive(entries);
    expectProblem(answer, "invalid_request", { detail: expect.stringContaining("more than 10000 entries") });
    expect(readdirSync(join(dataDir, "skills"))).toEqual(["kept"]);
  });

  test("is not taken from where it redirects to when that is not to be trusted", async () => {
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response("", { status: 302, headers: { Location: "file:///etc/passwd" } }),
    });
    onTestFinished(() => server.stop(true));
    const { use } = await start();
    const { answer } = await use({ type: "archive", source: `${server.url}pack.zip` });
    expectProblem(answer, "invalid_request", { detail: expect.stringContaining("is not an https address") });
  });
});

/** Makes the branch a commit of a tree with these entries. */
function commitTree(repository: string, entries: string): void {
  const env = { PATH: process.env.PATH ?? "" };
  const made = Bun.spawnSync(["git", "mktree"], { cwd: repository, env, stdin: Buffer.from(entries) });
  const tree = made.stdout.toString().trim();
  const commit = git(repository, "commit-tree", "-m", "tree", tree).trim();
  git(repository, "update-ref", "refs/heads/main", commit);
}

describe("a project with a link in the place of a folder for skills", () => {
  test.each([".claude", ".claude/skills"])("%s gets no links written where it leads", async (folder) => {
    const { use } = await start();
    const [directory, outside, source] = [temporaryDirectory(), temporaryDirectory(), temporaryDirectory()];
    put(source, "one/SKILL.md", "# one\n");
    mkdirSync(join(directory, folder, ".."), { recursive: true });
    symlinkSync(outside, join(directory, folder));
    const { answer } = await use({ type: "local", source }, directory);
    expectProblem(answer, "invalid_request", {
      detail: `invalid request: ${join(directory, folder)} is a link that points outside the working directory; skills cannot be linked there`,
    });
    expect(readdirSync(outside)).toEqual([]);
  });
});
