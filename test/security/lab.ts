/** What several attack tests share. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A directory for all tests of a file. */
export function persistentDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), "sandbox-agent-security-"));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
