/**
 * Measures how long a daemon blocks other requests. A second process requests its health repeatedly and records the response times.
 * Wall-clock time includes other programs of the machine, so the CPU time of the daemon's main thread is recorded as well: a daemon
 * that is stalled for 200 ms has used 200 ms of CPU.
 */
import { join } from "node:path";
import { onTestFinished } from "vitest";

export interface Stalls {
  /** Number of responses. */
  answers: number;
  /** The longest response time. */
  longestMs: number;
  /** The most CPU time of the daemon during one request; at most the response time. */
  longestCpuMs: number;
}

export interface StallWatch {
  /** Ends the measurement. */
  stop(): Promise<Stalls>;
}

/** Starts measuring; resolves after the first response. */
export async function watchStalls({ url, pid }: { url: string; pid: number }): Promise<StallWatch> {
  const child = Bun.spawn([process.execPath, join(import.meta.dirname, "stall-poller.ts"), url, String(pid)], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  onTestFinished(() => child.kill("SIGKILL"));
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let text = "";
  const line = async (): Promise<string> => {
    for (;;) {
      const end = text.indexOf("\n");
      if (end !== -1) {
        const first = text.slice(0, end);
        text = text.slice(end + 1);
        return first;
      }
      const { value, done } = await reader.read();
      if (done) throw new Error("the measuring process ended early");
      text += decoder.decode(value, { stream: true });
    }
  };
  await line();
  return {
    async stop() {
      child.stdin.end();
      return JSON.parse(await line());
    },
  };
}
