/** Threads, which the real Amp keeps on its server: here a file each, so that another process can continue them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const Thread = z.object({ id: z.string(), mode: z.string(), heard: z.array(z.string()) });
export type Thread = z.infer<typeof Thread>;

export function threadsIn(directory: string) {
  mkdirSync(directory, { recursive: true });
  const file = (id: string) => join(directory, `${id}.json`);
  const save = (thread: Thread) => writeFileSync(file(thread.id), JSON.stringify(thread));
  return {
    save,
    begin(mode: string): Thread {
      const thread = { id: `T-${crypto.randomUUID()}`, mode, heard: [] };
      save(thread);
      return thread;
    },
    find(id: string): Thread | null {
      return existsSync(file(id)) ? Thread.parse(JSON.parse(readFileSync(file(id), "utf8"))) : null;
    },
  };
}
