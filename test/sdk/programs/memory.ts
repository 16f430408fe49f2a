/** Reads a session's events from the beginning and reports the heap size: `node --expose-gc memory.js URL SESSION COUNT`. */
import { SandboxAgent } from "sandbox-agent";

const [, , baseUrl = "", sessionId = "", count = "0"] = process.argv;
const client = await SandboxAgent.connect({ baseUrl });
const controller = new AbortController();
const heap: number[] = [];
let last = 0;
for await (const event of client.streamEvents(sessionId, {}, { signal: controller.signal })) {
  if (event.sequence !== last + 1) throw new Error(`${event.sequence} follows ${last}`);
  last = event.sequence;
  if (last % 10_000 === 0) heap.push(used());
  if (last === Number(count)) break;
}
console.log(JSON.stringify({ last, heap }));

function used(): number {
  if (!globalThis.gc) throw new Error("run with --expose-gc");
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
