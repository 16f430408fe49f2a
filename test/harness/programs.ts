/**
 * Programs that tests use as people do and that npm does not install: a browser, tmux, shells. Where one is missing, the
 * tests that need it are skipped and say so. In CI, which installs them all (`.ci/run`), they fail instead, so that no test
 * stops being run unnoticed.
 */
import type { TestContext } from "vitest";

/** Called by a test, or by `beforeEach` for all tests of a file or group. */
export function need({ skip }: Pick<TestContext, "skip">, ...programs: string[]): void {
  const missing = programs.filter((program) => !Bun.which(program));
  if (missing.length === 0) return;
  const reason = `not installed here: ${missing.join(", ")}`;
  if (process.env.CI) throw new Error(reason);
  skip(reason);
}
