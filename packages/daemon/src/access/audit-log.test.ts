import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { AuditLog } from "./audit-log.ts";

const entry = {
  principal: "root",
  operation: "createSession",
  session: null,
  method: "POST",
  path: "/v1/sessions/a",
  address: "127.0.0.1",
  status: 200,
};

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "audit-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function logIn(directory: string | null, limits?: { fileBytes: number; files: number }): AuditLog {
  const fail = (error: unknown) => {
    throw error;
  };
  return new AuditLog(directory, fail, (text) => text.replaceAll("secret", "[redacted]"), limits);
}

const statuses = async (log: AuditLog) => (await log.page(1000, undefined, {})).entries.map(({ status }) => status);

describe("the audit log", () => {
  test("keeps the newest files, and all that is in them is found in order", async () => {
    const directory = temporaryDirectory();
    const log = logIn(directory, { fileBytes: 1000, files: 3 });
    for (let status = 1; status <= 100; status += 1) {
      log.record({ ...entry, status });
      log.flush();
      // Names of files have the time in milliseconds.
      await Bun.sleep(1);
    }
    await vi.waitFor(() => expect(readdirSync(directory).length).toBeLessThanOrEqual(3));
    const found = await statuses(log);
    expect(found[0]).toBe(100);
    expect(found).toEqual(found.map((_, index) => 100 - index));
    expect(found.length).toBeGreaterThan(5);
    expect(found.length).toBeLessThan(30);
  });

  test("passes over a line that a crash has cut off", async () => {
    const directory = temporaryDirectory();
    const first = logIn(directory);
    first.record({ ...entry, status: 201 });
    first.close();
    const [file = ""] = readdirSync(directory);
    writeFileSync(join(directory, file), '{"id":"x","ti', { flag: "a" });
    const second = logIn(directory);
    second.record({ ...entry, status: 202 });
    expect(await statuses(second)).toEqual([202, 201]);
  });

  test("replaces secrets and cuts what is long", async () => {
    const log = logIn(null);
    log.record({ ...entry, path: `/v1/sessions/secret${"x".repeat(10_000)}` });
    const { entries } = await log.page(1, undefined, {});
    expect(entries[0]?.path).toMatch(/^\/v1\/sessions\/\[redacted\]x+$/);
    expect(entries[0]?.path.length).toBe(500);
  });

  test("goes on when it cannot be written", () => {
    const failures: unknown[] = [];
    const directory = temporaryDirectory();
    const log = new AuditLog(
      directory,
      (error) => failures.push(error),
      (text) => text,
    );
    rmSync(directory, { recursive: true });
    log.record(entry);
    log.flush();
    expect(failures).toHaveLength(1);
  });
});
