/** Disks of a test's own: small ones, ones that cannot be written. Mounting needs root, without which tests are skipped. */
import { onTestFinished, type TestContext } from "vitest";

/** Mounts a disk in memory on an existing directory, until the test is over. The options are those of tmpfs. */
export function mountDisk({ skip }: Pick<TestContext, "skip">, directory: string, options = "rw"): void {
  const { success } = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", options, "tmpfs", directory]);
  if (!success) skip("mounting needs root");
  onTestFinished(() => void Bun.spawnSync(["umount", "-l", directory]));
}
