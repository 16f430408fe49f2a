/** Skills: directories with a SKILL.md, linked to where agents look for them in the session's directory. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { expectProblem } from "../harness/problem.ts";

const folders = [".agents/skills", ".claude/skills", ".opencode/skill"];

/** A directory with skills at these places in it. */
function skillsAt(...places: string[]): string {
  const root = temporaryDirectory();
  for (const place of places) addSkill(root, place);
  return root;
}

function addSkill(root: string, place: string): void {
  mkdirSync(join(root, place), { recursive: true });
  writeFileSync(join(root, place, "SKILL.md"), `# ${place}\n`);
}

/** The same as a git repository. */
function repositoryWith(...places: string[]): string {
  const root = skillsAt(...places);
  execFileSync("git", ["init", "--quiet", "--initial-branch", "main"], { cwd: root });
  commit(root);
  return root;
}

function commit(repository: string): void {
  const author = ["-c", "user.name=test", "-c", "user.email=test@example.com"];
  execFileSync("git", ["add", "."], { cwd: repository });
  execFileSync("git", [...author, "commit", "--quiet", "--message", "skills"], { cwd: repository });
}

const local = (source: string, more: Record<string, unknown> = {}) => ({
  sources: [{ type: "local", source, ...more }],
});

/** The names in each of the three folders, which must not differ. */
function linked(directory: string): string[] {
  const [names, ...others] = folders.map((folder) => readdirSync(join(directory, folder)).toSorted());
  for (const other of others) expect(other).toEqual(names);
  return names ?? [];
}

const anyLinked = (directory: string) => folders.some((folder) => existsSync(join(directory, folder)));

describe("skills of a directory", () => {
  test("are echoed by the session", async () => {
    const client = await startTestClient();
    const skills = local(skillsAt("one"), { skills: ["one"] });
    await client.create("a", { directory: temporaryDirectory(), skills });
    const { json } = await client.get("/v1/sessions/a");
    expect(json.skills).toEqual(skills);
  });

  test.each([
    ["in its children", ["one", "two"], ["one", "two"]],
    ["in its skills folder", ["skills/one", "skills/two"], ["one", "two"]],
    ["in both", ["one", "skills/two"], ["one", "two"]],
    ["but none that lie deeper", ["one", "deep/down/two"], ["one"]],
  ])("are found %s", async (_, places, names) => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    await client.create("a", { directory, skills: local(skillsAt(...places)) });
    expect(linked(directory)).toEqual(names);
  });

  test("are found when it is one itself", async () => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    const root = skillsAt("only");
    await client.create("a", { directory, skills: local(join(root, "only")) });
    expect(linked(directory)).toEqual(["only"]);
  });

  test("are found in a subpath", async () => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    await client.create("a", { directory, skills: local(skillsAt("pack/one", "two"), { subpath: "pack" }) });
    expect(linked(directory)).toEqual(["one"]);
  });

  test("are found relative to the session's directory", async () => {
    const client = await startTestClient();
    const directory = skillsAt("mine/one");
    await client.create("a", { directory, skills: local("mine") });
    expect(linked(directory)).toEqual(["one"]);
  });

  test("are only those asked for", async () => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    await client.create("a", { directory, skills: local(skillsAt("one", "two", "three"), { skills: ["two"] }) });
    expect(linked(directory)).toEqual(["two"]);
  });

  test("are links to where they are", async () => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    const root = skillsAt("one");
    await client.create("a", { directory, skills: local(root) });
    const links = folders.map((folder) => realpathSync(join(directory, folder, "one")));
    expect(links).toEqual(folders.map(() => realpathSync(join(root, "one"))));
  });

  test("are left as they are when they are linked already", async () => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    const skills = local(skillsAt("one"));
    const times = () => folders.map((folder) => lstatSync(join(directory, folder, "one"), { bigint: true }).ctimeNs);
    await client.create("a", { directory, skills });
    const before = times();
    const answer = await client.create("b", { directory, skills });
    expect(answer.status).toBe(200);
    expect(times()).toEqual(before);
  });
});

describe("skills of a git repository", () => {
  // Clones are kept for as long as the system keeps its temporary files; those of tests need not be.
  beforeEach(() => void vi.stubEnv("TMPDIR", temporaryDirectory()));
  afterEach(() => void vi.unstubAllEnvs());

  const git = (source: string, more: Record<string, unknown> = {}) => ({ sources: [{ type: "git", source, ...more }] });

  test("are linked", async () => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    await client.create("a", { directory, skills: git(repositoryWith("one", "two")) });
    expect(linked(directory)).toEqual(["one", "two"]);
  });

  test("are those of the branch asked for", async () => {
    const client = await startTestClient();
    const answer = await client.create("a", {
      directory: temporaryDirectory(),
      skills: git(repositoryWith("one"), { ref: "no-such-branch" }),
    });
    expectProblem(answer, "invalid_request", { detail: expect.stringContaining("git could not fetch it") });
  });

  test("are those of that branch if it exists", async () => {
    const client = await startTestClient();
    const [repository, directory] = [repositoryWith("one"), temporaryDirectory()];
    execFileSync("git", ["checkout", "--quiet", "-b", "more"], { cwd: repository });
    addSkill(repository, "two");
    commit(repository);
    execFileSync("git", ["checkout", "--quiet", "main"], { cwd: repository });
    await client.create("a", { directory, skills: git(repository, { ref: "more" }) });
    expect(linked(directory)).toEqual(["one", "two"]);
  });

  test("cannot be fetched from a missing repository, however often that is tried", async () => {
    const client = await startTestClient();
    for (const id of ["a", "b"]) {
      const answer = await client.create(id, { directory: temporaryDirectory(), skills: git("/no/such/repository") });
      expectProblem(answer, "invalid_request", {
        detail: expect.stringMatching(
          /^invalid request: skill source \/no\/such\/repository: git could not fetch it: ./,
        ),
      });
    }
  });

  test("are still those of the last checkout when the repository is gone", async () => {
    const client = await startTestClient();
    const [repository, directory] = [repositoryWith("one"), temporaryDirectory()];
    await client.create("a", { directory: temporaryDirectory(), skills: git(repository) });
    rmSync(repository, { recursive: true });
    await client.create("b", { directory, skills: git(repository) });
    expect(linked(directory)).toEqual(["one"]);
  });

  test("can be used by two sessions in one directory", async () => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    const skills = git(repositoryWith("one"));
    await client.create("a", { directory, skills });
    const answer = await client.create("b", { directory, skills });
    expect(answer.status).toBe(200);
  });

  test("can be used by sessions that are created at the same time", async () => {
    const client = await startTestClient();
    const skills = git(repositoryWith("one"));
    const creates = ["a", "b", "c", "d"].map((id) => client.create(id, { directory: temporaryDirectory(), skills }));
    const statuses = (await Promise.all(creates)).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 200]);
  });

  test("are those of the newest commit", async () => {
    const client = await startTestClient();
    const [repository, later] = [repositoryWith("one"), temporaryDirectory()];
    await client.create("a", { directory: temporaryDirectory(), skills: git(repository) });
    addSkill(repository, "two");
    commit(repository);
    await client.create("b", { directory: later, skills: git(repository) });
    expect(linked(later)).toEqual(["one", "two"]);
  });

  test("have the name of the repository when it is one itself", async () => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    const repository = repositoryWith(".");
    await client.create("a", { directory, skills: git(repository) });
    expect(linked(directory)).toEqual([basename(repository)]);
  });
});

describe("skills that cannot be had", () => {
  test("because their directory is missing are a problem", async () => {
    const client = await startTestClient();
    const answer = await client.create("a", { directory: temporaryDirectory(), skills: local("/no/such/directory") });
    expectProblem(answer, "invalid_request", {
      detail: "invalid request: skill source /no/such/directory: directory /no/such/directory does not exist",
    });
  });

  test("because there is no SKILL.md are a problem", async () => {
    const client = await startTestClient();
    const empty = temporaryDirectory();
    const answer = await client.create("a", { directory: temporaryDirectory(), skills: local(empty) });
    expectProblem(answer, "invalid_request", {
      detail: `invalid request: skill source ${empty}: it contains no directory with a SKILL.md`,
    });
  });

  test("because none has the name asked for are a problem", async () => {
    const client = await startTestClient();
    const root = skillsAt("one");
    const answer = await client.create("a", {
      directory: temporaryDirectory(),
      skills: local(root, { skills: ["two", "three"] }),
    });
    expectProblem(answer, "invalid_request", {
      detail: `invalid request: skill source ${root}: it contains none of the skills two, three`,
    });
  });

  test("because another directory is in their place are a problem", async () => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    const taken = join(directory, ".claude/skills/one");
    mkdirSync(taken, { recursive: true });
    const answer = await client.create("a", { directory, skills: local(skillsAt("one")) });
    expectProblem(answer, "invalid_request", {
      detail: `invalid request: skill one: ${taken} already exists and is not a link to a skill; remove or rename it`,
    });
  });

  test("because a link to something else is in their place are a problem, and leave it there", async () => {
    const client = await startTestClient();
    const [directory, other] = [temporaryDirectory(), skillsAt("one")];
    const taken = join(directory, ".claude/skills/one");
    mkdirSync(dirname(taken), { recursive: true });
    symlinkSync(join(other, "one"), taken);
    const answer = await client.create("a", { directory, skills: local(skillsAt("one")) });
    expectProblem(answer, "invalid_request", {
      detail: `invalid request: skill one: ${taken} already exists and is not a link to a skill; remove or rename it`,
    });
    expect(readlinkSync(taken)).toBe(join(other, "one"));
  });

  test("leave the other directory in its place", async () => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    const taken = join(directory, ".agents/skills/one");
    mkdirSync(taken, { recursive: true });
    await client.create("a", { directory, skills: local(skillsAt("one")) });
    expect(lstatSync(taken).isDirectory()).toBe(true);
  });

  test("leave no session", async () => {
    const client = await startTestClient();
    await client.create("a", { directory: temporaryDirectory(), skills: local("/no/such/directory") });
    const { json } = await client.get("/v1/sessions");
    expect(json.sessions).toEqual([]);
  });

  test("leave no links when one of several sources is wrong", async () => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    const sources = [...local(skillsAt("one")).sources, ...local("/no/such/directory").sources];
    await client.create("a", { directory, skills: { sources } });
    expect(anyLinked(directory)).toBe(false);
  });

  test("leave no links when one of several places is taken", async () => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    mkdirSync(join(directory, ".opencode/skill/one"), { recursive: true });
    await client.create("a", { directory, skills: local(skillsAt("one")) });
    expect(existsSync(join(directory, ".agents/skills/one"))).toBe(false);
  });
});
