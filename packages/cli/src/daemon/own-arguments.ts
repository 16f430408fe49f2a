/** What the runtime is given to become this program; an executable of its own is it already. */
import { fileURLToPath } from "node:url";

export function ownArguments(): string[] {
  if (Bun.isStandaloneExecutable) return [];
  return [...process.execArgv, fileURLToPath(new URL("../main.ts", import.meta.url))];
}
