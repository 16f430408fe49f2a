/** The arguments with which the runtime runs this program; none for the standalone executable. */
import { fileURLToPath } from "node:url";

export function ownArguments(): string[] {
  if (Bun.isStandaloneExecutable) return [];
  return [...process.execArgv, fileURLToPath(new URL("../main.ts", import.meta.url))];
}
