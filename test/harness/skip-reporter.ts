/** Prints the reasons of skipped tests at the end of a run; vitest's own reporter only counts them. */
import type { Reporter, TestModule } from "vitest/node";

export default class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const reasons = modules.flatMap((module) =>
      [...module.children.allTests("skipped")].flatMap((test) => {
        const result = test.result();
        return result.state === "skipped" && result.note ? [result.note] : [];
      }),
    );
    for (const [reason, skipped] of Map.groupBy(reasons, (reason) => reason))
      console.log(` ${skipped.length} skipped: ${reason}`);
  }
}
