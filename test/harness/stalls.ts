/**
 * Measures how long a daemon holds up other requests. A second process asks for its health again and again and records
 * how long each answer takes. The wall clock also counts what other programs of the machine take, so the CPU time that
 * the daemon's main thread used in the meantime is recorded as well: a daemon that stands still for 200 ms has computed
 * for 200 ms.
 */
import { join } from "node:path";
import { onTestFinished } from "vitest";

export interface Stalls {
  /** How many times health was answered. */
  answers: number;
  /** The longest time until an answer. */
  longestMs: number;
  /** The most CPU time that the daemon used until one answer; at most the time until that answer. */
  longestCpuMs: number;
}

export interface StallWatch {
  /** Ends the measurement. */
  stop(): Promise<Stalls>;
}

/** Starts to measure; resolves once health has been answered for the first time. */
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
