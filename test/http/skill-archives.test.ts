/** Skills in an archive: a file or a URL, unpacked into the data directory and linked like others. */
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";
import { describe, expect, onTestFinished, test } from "vitest";
import { startTestClient, temporaryDirectory } from "../harness/daemon.ts";
import { expectProblem } from "../harness/problem.ts";

const maxBytes = 64 * 1024 * 1024;
const archive = (source: string) => ({ sources: [{ type: "archive", source }] });
const skill = new TextEncoder().encode("# one\n");
const pack = zipSync({ "one/SKILL.md": skill });
const linkedIn = (directory: string) => readdirSync(join(directory, ".claude/skills"));

/** A directory with one skill in it. */
function skillDirectory(): string {
  const root = temporaryDirectory();
  mkdirSync(join(root, "one"));
  writeFileSync(join(root, "one/SKILL.md"), skill);
  return root;
}

function tarOf(flag: string, name: string, root = skillDirectory()): string {
  const path = join(temporaryDirectory(), name);
  execFileSync("tar", [flag, path, "-C", root, "one"]);
  return path;
}

function zipOf(entries: Record<string, Uint8Array>, name = "pack.zip"): string {
  const path = join(temporaryDirectory(), name);
  writeFileSync(path, zipSync(entries));
  return path;
}

/** The URL of a server that answers everything like that. */
function servedBy(answer: () => Response): string {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  onTestFinished(() => server.stop(true));
  return `${server.url}`;
}

/** So many zeros, in pieces. */
function zeros(bytes: number): Response {
  const piece = new Uint8Array(1024 * 1024);
  let left = bytes;
  return new Response(
    new ReadableStream({
      pull(controller) {
        if (left === 0) return controller.close();
        const next = piece.subarray(0, Math.min(left, piece.length));
        left -= next.length;
        controller.enqueue(next);
      },
    }),
  );
}

describe("skills in an archive", () => {
  test.each([
    ["tar", () => tarOf("-cf", "pack.tar")],
    ["tar.gz", () => tarOf("-czf", "pack.tar.gz")],
    ["zip", () => zipOf({ "one/SKILL.md": skill })],
  ])("are found: %s", async (_, make) => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    const { status, text } = await client.create("s", { directory, skills: archive(make()) });
    expect(status, text).toBe(200);
    expect(existsSync(join(directory, ".claude/skills/one/SKILL.md"))).toBe(true);
  });

  test("are downloaded", async () => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    await client.create("s", { directory, skills: archive(`${servedBy(() => new Response(pack))}pack.zip`) });
    expect(existsSync(join(directory, ".claude/skills/one/SKILL.md"))).toBe(true);
  });

  test.each([
    ["of a file", "notes", () => zipOf({ "SKILL.md": skill }, "notes.skill")],
    ["at a URL", "notes", () => `${servedBy(() => new Response(zipSync({ "SKILL.md": skill })))}a/notes.zip?version=2`],
    ["at a URL without a path", "skills", () => servedBy(() => new Response(zipSync({ "SKILL.md": skill })))],
  ])("have the name of the archive when it is one itself: %s", async (_, name, make) => {
    const client = await startTestClient();
    const directory = temporaryDirectory();
    await client.create("s", { directory, skills: archive(make()) });
    expect(linkedIn(directory)).toEqual([name]);
  });

  test("have no links in them, which could lead anywhere", async () => {
    const root = skillDirectory();
    symlinkSync("/etc", join(root, "one/outside"));
    const client = await startTestClient();
    const directory = temporaryDirectory();
    await client.create("s", { directory, skills: archive(tarOf("-cf", "pack.tar", root)) });
    expect(readdirSync(join(directory, ".claude/skills/one"))).toEqual(["SKILL.md"]);
  });

  test("are unpacked once, and anew when they have changed", async () => {
    const dataDir = temporaryDirectory();
    const client = await startTestClient({ dataDir });
    const source = zipOf({ "one/SKILL.md": skill });
    const create = async (id: string) => {
      const directory = temporaryDirectory();
      expect((await client.create(id, { directory, skills: archive(source) })).status).toBe(200);
      return linkedIn(directory);
    };
    expect(await create("a")).toEqual(["one"]);
    const unpacked = () => statSync(join(dataDir, "skills"), { bigint: true }).mtimeNs;
    const before = unpacked();
    expect(await create("b")).toEqual(["one"]);
    expect(unpacked()).toBe(before);
    writeFileSync(source, zipSync({ "one/SKILL.md": skill, "two/SKILL.md": skill }));
    expect(await create("c")).toEqual(["one", "two"]);
  });

  test("can be used by sessions that are created at the same time, and under another name", async () => {
    const client = await startTestClient();
    const source = zipOf({ "SKILL.md": skill });
    const create = async (id: string, from: string) => {
      const directory = temporaryDirectory();
      const { status } = await client.create(id, { directory, skills: archive(from) });
      return [status, ...linkedIn(directory)];
    };
    const created = await Promise.all(["a", "b", "c", "d"].map((id) => create(id, source)));
    expect(created).toEqual(Array(4).fill([200, "pack"]));
    const copy = join(temporaryDirectory(), "copy.zip");
    copyFileSync(source, copy);
    expect(await create("e", copy)).toEqual([200, "copy"]);
  });
});

describe("an archive", () => {
  const large = (bytes: number) => {
    const path = join(temporaryDirectory(), "large.tar");
    writeFileSync(path, "");
    truncateSync(path, bytes);
    return path;
  };
  const tooLarge = `it has more than ${maxBytes} bytes`;
  const empty = "it contains no directory with a SKILL.md";

  test.each([
    ["is not there", () => "/no/such/archive.zip", "/no/such/archive.zip is not a file"],
    ["is a directory", () => "/etc", "/etc is not a file"],
    ["is none", () => join(skillDirectory(), "one/SKILL.md"), /./],
    ["reaches outside", () => zipOf({ "../../outside.txt": skill, "one/SKILL.md": skill }), /./],
    ["has too many bytes", () => large(maxBytes + 1), tooLarge],
    ["has nothing in as many bytes as it may have", () => large(maxBytes), empty],
    ["is too long a download", () => servedBy(() => zeros(maxBytes + 1)), tooLarge],
    ["has nothing in as long a download as it may be", () => servedBy(() => zeros(maxBytes)), empty],
    [
      "cannot be downloaded",
      () => servedBy(() => new Response("gone", { status: 404 })),
      "it cannot be downloaded: the server answered 404",
    ],
  ])("that %s is refused, and nothing is left of it", { timeout: 60_000 }, async (_, make, message) => {
    const dataDir = temporaryDirectory();
    const client = await startTestClient({ dataDir });
    const source = make();
    const answer = await client.create("s", { directory: temporaryDirectory(), skills: archive(source) });
    const prefix = `invalid request: skill source ${source}: `;
    expectProblem(answer, "invalid_request", { detail: expect.stringContaining(prefix) });
    const cause = answer.json.detail.slice(prefix.length);
    expect(cause).toEqual(typeof message === "string" ? message : expect.stringMatching(message));
    const left = existsSync(join(dataDir, "skills")) ? readdirSync(join(dataDir, "skills")) : [];
    expect(left.filter((name) => name.startsWith("."))).toEqual([]);
  });
});
