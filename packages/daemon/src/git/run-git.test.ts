/** The limits for git. The tests run a shell instead, which exceeds them. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { type GitOptions, gitWith } from "./run-git.ts";

const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-run-git-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const env = { PATH: process.env.PATH ?? "" };

function shell(options: Partial<GitOptions> = {}) {
  const git = gitWith({ program: "/bin/sh", cwd: directory, env, limitMs: 60_000, maxBytes: 1000, ...options });
  return (script: string) => git(["-c", script]);
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
};

test("a run that takes too long is ended with its child processes, even if those ignore SIGTERM", async () => {
  const script = "trap '' TERM; (trap '' TERM; echo $$ > child; sleep 600) & echo $! > pid; sleep 600";
  await expect(shell({ limitMs: 500 })(script)).rejects.toThrow(/took longer than 0.5 seconds/);
  const pid = Number(readFileSync(join(directory, "pid"), "utf8"));
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 });
});

test("a run with endless output is ended, and the output is truncated at the end of a line", async () => {
  const { text, truncated } = await shell()("while :; do echo 123456789; done");
  expect(truncated).toBe(true);
  expect(text).toBe("123456789\n".repeat(100));
});

test("endless error output does not fill the memory", async () => {
  await expect(shell()("head -c 50000000 /dev/zero | tr '\\0' x >&2; exit 3")).rejects.toThrow(
    expect.objectContaining({ message: expect.stringMatching(/^git .* failed: x{1000,20000}$/s) }),
  );
});

test("a file larger than the limit is not written", async () => {
  const limited = shell({ maxFileBytes: 1024 * 1024 });
  await expect(limited("head -c 3000000 /dev/zero > large")).rejects.toThrow(/failed/);
  expect(statSync(join(directory, "large")).size).toBeLessThanOrEqual(1024 * 1024);
  await limited("head -c 1000000 /dev/zero > small");
  expect(statSync(join(directory, "small")).size).toBe(1_000_000);
});

test("an aborted signal ends the run and prevents new ones", async () => {
  const stop = new AbortController();
  const running = shell({ signal: stop.signal })("touch started; sleep 600");
  await vi.waitFor(() => expect(existsSync(join(directory, "started"))).toBe(true), { timeout: 10_000 });
  stop.abort();
  await expect(running).rejects.toThrow();
  await expect(shell({ signal: stop.signal })("touch again")).rejects.toThrow();
  expect(existsSync(join(directory, "again"))).toBe(false);
});
