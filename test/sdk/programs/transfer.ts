/** Sends a file as a stream and reads it back as one: `node --expose-gc transfer.js URL PATH BYTES`. Reports hashes and memory. */
import { createHash } from "node:crypto";
import { SandboxAgent } from "sandbox-agent";

const [, , baseUrl = "", path = "", size = "0"] = process.argv;
const chunk = new Uint8Array(1 << 20);
const client = await SandboxAgent.connect({ baseUrl });
let peak = 0;
const before = usedMemory();
const sampling = setInterval(() => (peak = Math.max(peak, usedMemory())), 50);

const sent = createHash("sha256");
let left = Number(size);
const source = new ReadableStream<Uint8Array>({
  pull(controller) {
    if (left === 0) return controller.close();
    crypto.getRandomValues(chunk.subarray(0, 65_536));
    const piece = chunk.slice(0, Math.min(left, chunk.length));
    left -= piece.length;
    sent.update(piece);
    controller.enqueue(piece);
  },
});
const written = await client.writeFsFile({ path }, source);

const received = createHash("sha256");
const { body } = await client.readFsFile({ path });
for await (const piece of body ?? []) received.update(piece);
clearInterval(sampling);
console.log(
  JSON.stringify({ written, sent: sent.digest("hex"), received: received.digest("hex"), growth: peak - before }),
);

/** Memory in use after garbage collection. */
function usedMemory(): number {
  if (!globalThis.gc) throw new Error("run with --expose-gc");
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
