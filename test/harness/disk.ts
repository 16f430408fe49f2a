/** Disks of a test's own: small ones, ones that cannot be written. Mounting needs root, without which tests are skipped. */
import { appendFileSync } from "node:fs";
import { expect, onTestFinished, type TestContext } from "vitest";

/** Mounts a disk in memory on an existing directory, until the test is over. The options are those of tmpfs. */
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
