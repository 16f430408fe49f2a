/** A run as a stream: its output, then its end. A slow client slows the program down. */
import type { RunProcessRequest } from "@sandbox-agent/schema";
import type { Processes } from "../processes/processes.ts";
import { startRun } from "../processes/run.ts";
import { logFrame } from "./process-logs.ts";
import { eventStreamHeaders, type StreamReader } from "./sse.ts";

export async function runStream(
  processes: Processes,
  body: Omit<RunProcessRequest, "maxOutputBytes">,
  { signal, connection }: StreamReader,
): Promise<Response> {
  const opened = Promise.withResolvers<(frame: string) => Promise<void>>();
  let sequence = 0;
  // Started before the response, so that a program that cannot start is reported as a problem.
  const { end } = await startRun(processes, body, signal, async (stream, bytes) => {
    const data = Buffer.from(bytes).toString("base64");
    const write = await opened.promise;
    await write(logFrame({ sequence: ++sequence, stream, timestampMs: Date.now(), data, encoding: "base64" }));
  });
  const stream = new ReadableStream({
    type: "direct",
    async pull(controller) {
      const write = async (frame: string) => {
        if (signal.aborted) return;
        const written: unknown = controller.write(frame);
        controller.flush();
        await Promise.race([written, aborted(signal)]);
      };
      opened.resolve(write);
      const result = await end;
      await write(`event: exit\ndata: ${JSON.stringify(result)}\n\n`);
      connection.release();
      controller.close();
    },
  });
  return new Response(stream, { headers: eventStreamHeaders });
}

/** A disconnected client never reads what was written. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
