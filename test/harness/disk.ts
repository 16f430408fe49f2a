/** Small or read-only disks for tests. Mounting needs root; without it, tests are skipped. */
import { appendFileSync } from "node:fs";
import { expect, onTestFinished, type TestContext } from "vitest";

/** Mounts a tmpfs with these options on an existing directory, until the test ends. */
export function mountDisk({ skip }: Pick<TestContext, "skip">, directory: string, options = "rw"): void {
  const { success } = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", options, "tmpfs", directory]);
  if (!success) skip("mounting needs root");
  onTestFinished(() => void Bun.spawnSync(["umount", "-l", directory]));
}

/** Writes to a file until its disk is full. */
export function fillUp(file: string): void {
  for (const step of [64 * 1024, 1]) {
    try {
      for (;;) appendFileSync(file, new Uint8Array(step));
    } catch (error) {
      expect(error).toMatchObject({ code: "ENOSPC" });
    }
  }
}
