/** The scripted model in its own process, so that it does not share an event loop with the benchmark. */
import { startModelServer } from "../test/model/server.ts";

if (import.meta.main) console.log((await startModelServer()).url);

export async function spawnModel(): Promise<{ url: string; close(): void }> {
  const child = Bun.spawn([process.execPath, import.meta.path], { stdout: "pipe", stderr: "inherit" });
  const { value } = await child.stdout.getReader().read();
  return { url: new TextDecoder().decode(value).trim(), close: () => child.kill() };
}
