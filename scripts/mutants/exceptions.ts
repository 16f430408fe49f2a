/**
 * Mutants that no test can or should notice, with the reason. A mutant is named by its file, the text of its line and
 * what it puts there, so that an exception outlives changes elsewhere in the file and ends when the line changes.
 */
import type { Mutant } from "./mutations.ts";

interface Exception {
  file: string;
  line: string;
  /** All mutants of the line if absent. */
  replacement?: string;
  reason: string;
}

const exceptions: Exception[] = [];

export function isExcepted(mutant: Mutant, line: string): boolean {
  return exceptions.some(
    (exception) =>
      exception.file === mutant.file &&
      exception.line === line &&
      (exception.replacement === undefined || exception.replacement === mutant.replacement),
  );
}
