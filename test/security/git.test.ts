/** Reading the state of a repository runs nothing that the repository names, and stays in the root. */
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { agentWithHands } from "../changes/hands.ts";
import { put } from "../changes/project.ts";
import { TestClient } from "../harness/client.ts";
import { spawnDaemon, startTestDaemon, temporaryDirectory } from "../harness/daemon.ts";
import { attributes, Canaries, commitAll, git, makeHostile, repositoryOf, touchAll } from "./hostile-repository.ts";

interface Status {
  path: string;
  added: number;
  removed: number;
  status: string;
}

const query = (directory: string) => `?directory=${encodeURIComponent(directory)}`;

async function statusOf(client: TestClient, directory: string): Promise<Status[]> {
  const answer = await client.get(`/opencode/file/status${query(directory)}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json.toSorted((a: Status, b: Status) => a.path.localeCompare(b.path));
}

const pathsOf = async (client: TestClient, directory: string) =>
  (await statusOf(client, directory)).map(({ path, status }) => `${status} ${path}`);

async function branchOf(client: TestClient, directory: string): Promise<string | undefined> {
  const answer = await client.get(`/opencode/vcs${query(directory)}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json.branch;
}

/** Everything that reads the state of the files or of the repository in a directory. */
async function readEverything(client: TestClient, directory: string): Promise<void> {
  const id = `s${Date.now()}${Math.round(Math.random() * 1e9)}`;
  const created = await client.create(id, { directory });
  expect(created.status, created.text).toBe(200);
  await client.send(id, "sh echo more >> a.txt && echo new > written.txt && rm -f c.dat");
  await client.wait(id, "idle,ended");
  const taken = await client.post(`/v1/sessions/${id}/checkpoints`);
  for (const path of [
    `/opencode/file/status${query(directory)}`,
    `/opencode/vcs${query(directory)}`,
    `/opencode/file${query(directory)}&path=`,
    `/opencode/find${query(directory)}&pattern=one`,
    `/opencode/session/${id}/diff${query(directory)}`,
    `/v1/sessions/${id}/diff`,
    `/v1/sessions/${id}/checkpoints`,
    `/v1/fs/search${query(directory)}&query=one`,
  ]) {
    const { status, text } = await client.get(path);
    expect([path, status === 200 || status === 400], text).toEqual([path, true]);
  }
  const restored = await client.post(`/v1/sessions/${id}/checkpoints/${taken.json.checkpointId}/restore`);
  expect(restored.status, restored.text).toBe(200);
}

async function startClient(fsRoot: string | null = null): Promise<TestClient> {
  const { url } = await startTestDaemon({ fsRoot }, agentWithHands());
  return new TestClient(url, null);
}

const files = { "a.txt": "one\n", "b.txt": "two\n", "c.dat": "three\n", "d.md": "four\n" };

describe("a hostile repository runs nothing", () => {
  test("by its configuration, attributes, hooks and includes", async () => {
    const canaries = new Canaries();
    const directory = repositoryOf(files);
    makeHostile(directory, canaries);
    touchAll(directory);
    put(directory, "b.txt", "2\n");
    rmSync(join(directory, "d.md"));
    const client = await startClient();
    expect(await pathsOf(client, directory)).toEqual(["modified b.txt", "deleted d.md"]);
    expect(await branchOf(client, directory)).toBe("main");
    await readEverything(client, directory);
    expect(canaries.run()).toEqual([]);
    // The traps are real: its owner's git steps into them.
    git(directory, "diff", "--ext-diff", "--textconv", "HEAD");
    expect(canaries.run().length).toBeGreaterThan(0);
  });

  test("by that of a submodule, or of a repository that lies in it", async () => {
    const canaries = new Canaries();
    const directory = repositoryOf(files);
    const inner = repositoryOf({ ...files, ".gitattributes": attributes });
    git(directory, "submodule", "--quiet", "add", inner, "sub");
    commitAll(directory);
    renameSync(join(directory, ".git/modules/sub"), join(directory, "moved"));
    rmSync(join(directory, "sub/.git"));
    renameSync(join(directory, "moved"), join(directory, "sub/.git"));
    git(directory, "config", "--file", join(directory, "sub/.git/config"), "--unset", "core.worktree");
    const nested = repositoryOf(files, join(directory, makeFolder(directory, "nested")));
    for (const place of [join(directory, "sub"), nested]) {
      makeHostile(place, canaries);
      touchAll(place);
      put(place, "a.txt", "changed\n");
    }
    const client = await startClient();
    await readEverything(client, directory);
    const seen = await pathsOf(client, directory);
    expect(canaries.run()).toEqual([]);
    expect(seen).toEqual(["modified a.txt", "deleted c.dat", "added nested/", "added written.txt"]);
  });

  test("by objects that it has to fetch", async () => {
    const canaries = new Canaries();
    const directory = repositoryOf(files);
    const missing = git(directory, "rev-parse", "HEAD:b.txt").trim();
    rmSync(join(directory, ".git/objects", missing.slice(0, 2), missing.slice(2)));
    const program = canaries.program("promisor");
    appendFileSync(
      join(directory, ".git/config"),
      `[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = evil\n[remote "evil"]\n\turl = ext::${program}\n\tpromisor = true\n\tuploadpack = ${program}\n[protocol]\n\tallow = always\n`,
    );
    put(directory, "b.txt", "2\n");
    const client = await startClient();
    const status = await statusOf(client, directory);
    expect(canaries.run()).toEqual([]);
    expect(status).toEqual([{ path: "b.txt", added: 0, removed: 0, status: "modified" }]);
  });

  test("by the environment of the daemon", async () => {
    const canaries = new Canaries();
    const directory = repositoryOf(files);
    touchAll(directory);
    put(directory, "b.txt", "2\n");
    const elsewhere = repositoryOf({ "elsewhere.txt": "1\n" });
    const daemon = await spawnDaemon(temporaryDirectory(), [], {
      GIT_EXTERNAL_DIFF: canaries.program("env-external-diff"),
      GIT_PAGER: canaries.program("env-pager"),
      GIT_SSH_COMMAND: canaries.program("env-ssh"),
      GIT_ASKPASS: canaries.program("env-askpass"),
      GIT_DIR: join(elsewhere, ".git"),
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.fsmonitor",
      GIT_CONFIG_VALUE_0: canaries.program("env-fsmonitor"),
    });
    const client = new TestClient(daemon.url, null);
    expect(await pathsOf(client, directory)).toEqual(["modified b.txt"]);
    expect(await branchOf(client, directory)).toBe("main");
    expect(canaries.run()).toEqual([]);
  });
});

describe("a repository outside of the root counts as none", () => {
  /** A root with a work tree, and a repository beside the root. */
  function arrange() {
    const [root, outside] = [temporaryDirectory(), repositoryOf({ "secret.txt": "1\n2\n3\n" })];
    git(outside, "checkout", "--quiet", "-b", "secret-branch");
    const directory = makeFolder(root, "project");
    put(join(root, directory), "secret.txt", "other\n");
    return { root, outside, directory: join(root, directory) };
  }

  const ways: [string, (paths: ReturnType<typeof arrange>) => void][] = [
    ["gitdir:", ({ directory, outside }) => writeFileSync(join(directory, ".git"), `gitdir: ${outside}/.git\n`)],
    ["a link", ({ directory, outside }) => symlinkSync(join(outside, ".git"), join(directory, ".git"))],
    [
      "commondir",
      ({ directory, outside }) => {
        mkdirSync(join(directory, ".git"));
        writeFileSync(join(directory, ".git/HEAD"), "ref: refs/heads/secret-branch\n");
        writeFileSync(join(directory, ".git/commondir"), `${outside}/.git\n`);
      },
    ],
    [
      "a link in the place of HEAD",
      ({ directory, outside }) => {
        git(directory, "init", "--quiet");
        rmSync(join(directory, ".git/HEAD"));
        symlinkSync(join(outside, ".git/HEAD"), join(directory, ".git/HEAD"));
      },
    ],
  ];

  test.each(ways)("when it is named by %s", async (_, make) => {
    const paths = arrange();
    make(paths);
    const client = await startClient(paths.root);
    expect(await statusOf(client, paths.directory)).toEqual([]);
    expect(await branchOf(client, paths.directory)).toBeUndefined();
  });

  test.each<[string, (git: string, outside: string) => void]>([
    ["alternates", (own, outside) => put(own, "objects/info/alternates", `${outside}/.git/objects\n`)],
    [
      "a link to all objects",
      (own, outside) => {
        rmSync(join(own, "objects"), { recursive: true });
        symlinkSync(join(outside, ".git/objects"), join(own, "objects"));
      },
    ],
    [
      "links to some objects",
      (own, outside) => {
        for (const name of readdirSync(join(outside, ".git/objects")).filter((name) => name.length === 2)) {
          rmSync(join(own, "objects", name), { recursive: true, force: true });
          symlinkSync(join(outside, ".git/objects", name), join(own, "objects", name));
        }
      },
    ],
  ])("when its objects are: %s", async (_, make) => {
    const { root, outside, directory } = arrange();
    git(directory, "init", "--quiet", "--initial-branch", "main");
    put(directory, ".git/refs/heads/main", git(outside, "rev-parse", "HEAD"));
    make(join(directory, ".git"), outside);
    expect(await statusOf(await startClient(root), directory)).toEqual([]);
    expect((await statusOf(await startClient(), directory)).length).toBeGreaterThan(0);
  });

  test("when its index names files outside of the work tree", async () => {
    const { root, directory } = arrange();
    put(root, "beside.txt", "1\n2\n3\n");
    git(directory, "init", "--quiet", "--initial-branch", "main");
    put(directory, "xx/beside.txt", "1\n");
    commitAll(directory);
    const index = join(directory, ".git/index");
    const patched = Buffer.from(readFileSync(index).toString("latin1").replace("xx/beside", "../beside"), "latin1");
    const body = patched.subarray(0, -20);
    writeFileSync(index, Buffer.concat([body, new Bun.CryptoHasher("sha1").update(body).digest()]));
    expect(git(directory, "ls-files")).toContain("../beside.txt");
    expect(await statusOf(await startClient(root), directory)).toEqual([]);
  });

  test("when it lies above the root", async () => {
    const outer = repositoryOf({ "sub/a.txt": "1\n" });
    put(outer, "sub/a.txt", "2\n");
    const client = await startClient(join(outer, "sub"));
    expect(await statusOf(client, join(outer, "sub"))).toEqual([]);
    expect(await branchOf(client, join(outer, "sub"))).toBeUndefined();
    expect(await branchOf(client, outer)).toBeUndefined();
  });

  test("and the log has the reason", async () => {
    const { root, outside, directory } = arrange();
    writeFileSync(join(directory, ".git"), `gitdir: ${outside}/.git\n`);
    const dataDir = temporaryDirectory();
    const daemon = await spawnDaemon(dataDir, ["--fs-root", root], { SANDBOX_AGENT_LOG: "warn" });
    await statusOf(new TestClient(daemon.url, null), directory);
    const reason = `${directory}/.git cannot be used: ${outside}/.git leads out of ${root}`;
    await vi.waitFor(() => expect(logIn(dataDir)).toContain(reason), { timeout: 10_000 });
  });
});

describe("an ordinary repository", () => {
  test("shows what was changed, staged, deleted, renamed, added and not", async () => {
    const names = ["changed", "staged", "deleted", "unstaged deletion", "renamed", "same", 'ünïcode "quoted"\n'];
    const directory = repositoryOf(Object.fromEntries(names.map((name) => [`dir/${name}`, `1\n2\n${name}\n`])));
    put(directory, ".gitignore", "ignored\n");
    put(directory, "dir/changed", "1\n2\nthree\nfour\n");
    put(directory, "dir/staged", "1\n");
    put(directory, 'dir/ünïcode "quoted"\n', "1\n");
    git(directory, "rm", "--quiet", "dir/deleted");
    rmSync(join(directory, "dir/unstaged deletion"));
    git(directory, "mv", "dir/renamed", "dir/new name");
    put(directory, "dir/ignored", "x");
    put(directory, "excluded", "x");
    put(directory, ".git/info/exclude", "/excluded\n");
    put(directory, "added", "x\ny\n");
    put(directory, "untracked", "x\ny\n");
    git(directory, "add", "dir/staged", "added");
    touchAll(directory);
    const client = await startClient();
    expect(await statusOf(client, directory)).toEqual(
      [
        { path: ".gitignore", added: 0, removed: 0, status: "added" },
        { path: "added", added: 2, removed: 0, status: "added" },
        { path: "dir/changed", added: 2, removed: 1, status: "modified" },
        { path: "dir/deleted", added: 0, removed: 3, status: "deleted" },
        { path: "dir/new name", added: 3, removed: 0, status: "added" },
        { path: "dir/renamed", added: 0, removed: 3, status: "deleted" },
        { path: "dir/staged", added: 0, removed: 2, status: "modified" },
        { path: "dir/unstaged deletion", added: 0, removed: 3, status: "deleted" },
        { path: 'dir/ünïcode "quoted"\n', added: 0, removed: 3, status: "modified" },
        { path: "untracked", added: 0, removed: 0, status: "added" },
      ].toSorted((a, b) => a.path.localeCompare(b.path)),
    );
  });

  test("is seen from its work trees, each with its own branch and changes", async () => {
    const directory = repositoryOf(files);
    const other = join(temporaryDirectory(), "other");
    git(directory, "worktree", "add", "--quiet", "-b", "side", other);
    put(other, "a.txt", "changed\n");
    const client = await startClient();
    expect([await branchOf(client, directory), await branchOf(client, other)]).toEqual(["main", "side"]);
    expect([await pathsOf(client, directory), await pathsOf(client, other)]).toEqual([[], ["modified a.txt"]]);
  });

  test("has a branch before its first commit, also below, packed and none when a commit is checked out", async () => {
    const client = await startClient();
    const directory = temporaryDirectory();
    expect(await branchOf(client, directory)).toBeUndefined();
    git(directory, "init", "--quiet", "--initial-branch", "feature/one");
    put(directory, "sub/a.txt", "1\n");
    git(directory, "add", ".");
    expect(await branchOf(client, join(directory, "sub"))).toBe("feature/one");
    expect(await statusOf(client, directory)).toEqual([{ path: "sub/a.txt", added: 1, removed: 0, status: "added" }]);
    commitAll(directory);
    git(directory, "pack-refs", "--all");
    expect(await branchOf(client, directory)).toBe("feature/one");
    expect(await statusOf(client, directory)).toEqual([]);
    git(directory, "checkout", "--quiet", "--detach");
    expect(await branchOf(client, directory)).toBeUndefined();
    put(directory, "sub/a.txt", "2\n");
    expect(await pathsOf(client, directory)).toEqual(["modified sub/a.txt"]);
  });

  test("is compared by its own rules for line ends, its format of ids, and a split index", async () => {
    const directory = temporaryDirectory();
    git(directory, "init", "--quiet", "--object-format=sha256");
    git(directory, "config", "core.autocrlf", "input");
    git(directory, "config", "core.splitIndex", "true");
    put(directory, "a.txt", "1\n2\n");
    put(directory, ".gitattributes", "*.bat text eol=crlf\n");
    put(directory, "b.bat", "1\r\n2\r\n");
    commitAll(directory);
    put(directory, "a.txt", "1\r\n2\r\n");
    touchAll(directory);
    const client = await startClient();
    expect(await statusOf(client, directory)).toEqual([]);
    put(directory, "b.bat", "1\r\n3\r\n");
    expect(await statusOf(client, directory)).toEqual([{ path: "b.bat", added: 1, removed: 1, status: "modified" }]);
  });

  test("with a filter shows those files as changed that were touched, without lines", async () => {
    const directory = repositoryOf({ ".gitattributes": "*.bin filter=lfs\n", "a.txt": "1\n" });
    git(directory, "config", "filter.lfs.clean", "sha256sum");
    git(directory, "config", "filter.lfs.smudge", "cat");
    for (const name of ["same", "changed", "staged"]) put(directory, `${name}.bin`, `content of ${name}\n`);
    commitAll(directory);
    put(directory, "changed.bin", "something\nelse\n");
    put(directory, "staged.bin", "something new\n");
    git(directory, "add", "staged.bin");
    const client = await startClient();
    expect(await statusOf(client, directory)).toEqual([
      { path: "changed.bin", added: 0, removed: 0, status: "modified" },
      { path: "staged.bin", added: 0, removed: 0, status: "modified" },
    ]);
  });

  test("shows submodules that have another commit", async () => {
    const [directory, inner] = [repositoryOf(files), repositoryOf(files)];
    git(directory, "submodule", "--quiet", "add", inner, "sub");
    commitAll(directory);
    const client = await startClient();
    expect(await pathsOf(client, directory)).toEqual([]);
    put(join(directory, "sub"), "new.txt", "1\n");
    commitAll(join(directory, "sub"));
    expect(await pathsOf(client, directory)).toEqual(["modified sub"]);
    git(directory, "add", "sub");
    expect(await pathsOf(client, directory)).toEqual(["modified sub"]);
    git(directory, "rm", "--quiet", "--cached", "sub");
    expect(await pathsOf(client, directory)).toContain("deleted sub");
  });

  test("is not changed by being read, and nothing is left behind", async () => {
    const directory = repositoryOf(files);
    touchAll(directory);
    const before = temporaryDirectory();
    cpSync(join(directory, ".git"), join(before, "git"), { recursive: true });
    const temporary = () => readdirSync(tmpdir()).filter((name) => name.startsWith("sandbox-agent-git-"));
    const had = temporary();
    await statusOf(await startClient(), directory);
    expect(temporary().filter((name) => !had.includes(name))).toEqual([]);
    const trees = [join(before, "git"), join(directory, ".git")].map((place) =>
      readdirSync(place, { recursive: true }).toSorted(),
    );
    expect(trees[0]).toEqual(trees[1]);
    expect(readFileSync(join(directory, ".git/index"))).toEqual(readFileSync(join(before, "git/index")));
  });
});

test.each(["HEAD", "index", "config", "refs/heads/main", "info/exclude", "objects/info/alternates"])(
  "a pipe, a socket or a directory in the place of %s is no reason to wait or to fail",
  async (name) => {
    const directory = repositoryOf(files);
    const client = await startClient();
    const path = join(directory, ".git", name);
    const makes = [
      () => Bun.spawnSync(["mkfifo", path]),
      () => mkdirSync(path),
      () => symlinkSync("/dev/zero", path),
      () => writeFileSync(path, "\0".repeat(10_000)),
    ];
    for (const make of makes) {
      rmSync(path, { recursive: true, force: true });
      make();
      await statusOf(client, directory);
      await branchOf(client, directory);
    }
  },
);

test.runIf(process.platform === "linux")(
  "a git that does not end is ended, with everything it has started",
  async () => {
    const directory = repositoryOf(files);
    // git opens it and waits for a writer.
    Bun.spawnSync(["mkfifo", join(directory, ".gitignore")]);
    const client = await startClient();
    const began = performance.now();
    const readers = Array.from({ length: 20 }, () => statusOf(client, directory));
    await vi.waitFor(() => expect(gitsIn(directory)).toBeGreaterThan(0), { timeout: 10_000 });
    expect(gitsIn(directory)).toBeLessThan(5);
    expect(new Set((await Promise.all(readers)).map((status) => status.length))).toEqual(new Set([0]));
    expect(performance.now() - began).toBeLessThan(25_000);
    expect(gitsIn(directory)).toBe(0);
  },
  30_000,
);

/** Processes whose work tree is that directory. */
function gitsIn(directory: string): number {
  const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return ids.filter((id) => {
    try {
      return readFileSync(`/proc/${id}/environ`, "utf8").includes(`GIT_WORK_TREE=${directory}\0`);
    } catch {
      return false;
    }
  }).length;
}

function makeFolder(directory: string, name: string): string {
  mkdirSync(join(directory, name), { recursive: true });
  return name;
}

function logIn(dataDir: string): string {
  const names = readdirSync(dataDir, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".log"));
  return names.map((name) => readFileSync(join(dataDir, name), "utf8")).join("");
}
