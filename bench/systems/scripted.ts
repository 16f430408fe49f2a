/** Compiles the scripted agent that all daemons run. */
import { join } from "node:path";
import { cache } from "../cache.ts";

const source = join(import.meta.dirname, "../scripted-agent.c");
let program: string | null = null;

/** Path of its executable. */
export function scriptedAgent(): string {
  return (program ??= compile(join(cache, "scripted-agent")));
}

function compile(executable: string): string {
  if (!Bun.which("cc")) throw new Error("the scripted agent needs a C compiler; on Debian: apt install gcc libc6-dev");
  const { exitCode, stderr } = Bun.spawnSync(["cc", "-O2", "-o", executable, source, "-lm"]);
  if (exitCode !== 0) throw new Error(`cannot compile the scripted agent: ${stderr}`);
  return executable;
}
