/**
 * Programs that tests need and npm does not install: a browser, tmux, shells. If one is missing, the tests that need it are skipped
 * with a reason. In CI, which installs them all (`.ci/run`), they fail instead, so that no test is skipped unnoticed.
 */
import type { TestContext } from "vitest";

/** Called by a test, or by `beforeEach` for all tests of a file or group. */
export function need({ skip }: Pick<TestContext, "skip">, ...programs: string[]): void {
  const missing = programs.filter((program) => !Bun.which(program));
  if (missing.length === 0) return;
  const reason = `not installed: ${missing.join(", ")}`;
  if (process.env.CI) throw new Error(reason);
  skip(reason);
}
