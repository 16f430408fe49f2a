import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { DirectoryInUse, lockDirectory } from "./lock.ts";

/** A directory that is removed after the test, and its lock file. */
function dataDirectory(): [string, string] {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-lock-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return [join(directory, "lock"), directory];
}

/** A child process that holds the lock until it is killed. */
async function lockElsewhere([file, directory]: [string, string]) {
  const script = `
    import { DirectoryInUse, lockDirectory } from ${JSON.stringify(join(import.meta.dirname, "lock.ts"))};
    globalThis.held = lockDirectory(${JSON.stringify(file)}, ${JSON.stringify(directory)});
    console.log("locked");
    setInterval(() => {}, 1000);`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
  onTestFinished(() => child.kill("SIGKILL"));
  await child.stdout.getReader().read();
  return child;
}

describe("a data directory that is locked", () => {
  test("cannot be locked again; the error names it and the remedy", () => {
    const [file, directory] = dataDirectory();
    const lock = lockDirectory(file, directory);
    expect(() => lockDirectory(file, directory)).toThrow(
      `the data directory ${directory} is in use by another sandbox-agent; stop it or choose another directory with --data-dir. To share one daemon, run \`sandbox-agent daemon start\` first`,
    );
    lock.release();
  });

  test("cannot be locked by another process", async () => {
    const directory = dataDirectory();
    await lockElsewhere(directory);
    expect(failureOf(() => lockDirectory(...directory))).toBeInstanceOf(DirectoryInUse);
  });

  test("is free again after its release", () => {
    const directory = dataDirectory();
    lockDirectory(...directory).release();
    expect(() => lockDirectory(...directory).release()).not.toThrow();
  });

  test("is free again after its holder was killed", async () => {
    const directory = dataDirectory();
    const holder = await lockElsewhere(directory);
    holder.kill("SIGKILL");
    await holder.exited;
    expect(() => lockDirectory(...directory).release()).not.toThrow();
  });
});

test.skipIf(!existsSync("/proc/self/fd"))("a lock that is refused leaves no file open", () => {
  const [file, directory] = dataDirectory();
  writeFileSync(file, "something else ".repeat(1000));
  failureOf(() => lockDirectory(file, directory));
  const open = readdirSync("/proc/self/fd").map((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      return null;
    }
  });
  expect(open).not.toContain(file);
});

test("a lock file that is no database is reported", () => {
  const [file, directory] = dataDirectory();
  writeFileSync(file, "something else ".repeat(1000));
  const failure = failureOf(() => lockDirectory(file, directory));
  expect(failure).not.toBeInstanceOf(DirectoryInUse);
  expect(String(failure)).toContain(`the lock file ${file} cannot be used; remove it`);
});

test("each data directory has its own lock", () => {
  const lock = lockDirectory(...dataDirectory());
  expect(() => lockDirectory(...dataDirectory()).release()).not.toThrow();
  lock.release();
});

function failureOf(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("it did not fail");
}
