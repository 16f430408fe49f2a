/** The scripted agent, whichever daemon starts it. */
import { join } from "node:path";
import { cache } from "../cache.ts";

const source = join(import.meta.dirname, "../scripted-agent.c");
let program: string | null = null;

/** Its executable. */
export function scriptedAgent(): string {
  return (program ??= compile(join(cache, "scripted-agent")));
}

function compile(executable: string): string {
  if (!Bun.which("cc")) throw new Error("the scripted agent needs a C compiler; on Debian: apt install gcc libc6-dev");
  const { exitCode, stderr } = Bun.spawnSync(["cc", "-O2", "-o", executable, source, "-lm"]);
  if (exitCode !== 0) throw new Error(`the scripted agent could not be compiled: ${stderr}`);
  return executable;
}
