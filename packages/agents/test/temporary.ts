/** Folders that are gone when the tests of the file have run. */
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-agent-install-"));
  folders.push(folder);
  return folder;
}

/** A PATH with what unpacking needs, and no agent that happens to be installed on this machine. */
export function toolFolder(): string {
  const folder = temporaryFolder();
  for (const tool of ["tar", "gzip"]) symlinkSync(Bun.which(tool) ?? "/nonexistent", join(folder, tool));
  return folder;
}
