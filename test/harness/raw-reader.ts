/** Reads an event stream over a plain socket and counts its `id:` lines. It is cheap, and can stop reading without closing. */
import { connect } from "node:net";

export interface RawReader {
  /** Resolves when the event with this sequence has arrived; fails if an earlier one is missing. */
  reached(sequence: number): Promise<void>;
  readonly events: number;
  pause(): void;
  resume(): void;
  close(): void;
}

export function readRaw(url: string, path: string): RawReader {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  let rest = "";
  let last = 0;
  let events = 0;
  let failure: Error | null = null;
  let waiting: { sequence: number; resolve(): void; reject(error: Error): void } | null = null;

  socket.on("data", (chunk) => {
    const text = rest + chunk.toString("latin1");
    let from = 0;
    for (;;) {
      const start = text.indexOf("\nid: ", from);
      if (start === -1) break;
      const end = text.indexOf("\n", start + 5);
      if (end === -1) break;
      const sequence = Number.parseInt(text.slice(start + 5, end), 10);
      if (sequence !== last + 1) failure ??= new Error(`sequence ${sequence} follows ${last}`);
      last = sequence;
      events += 1;
      from = end;
    }
    rest = text.slice(Math.max(from, text.length - 32));
    if (waiting && (failure || last >= waiting.sequence)) {
      if (failure) waiting.reject(failure);
      else waiting.resolve();
      waiting = null;
    }
  });
  return {
    reached: (sequence) =>
      last >= sequence && !failure
        ? Promise.resolve()
        : new Promise((resolve, reject) => {
            waiting = { sequence, resolve, reject };
          }),
    get events() {
      return events;
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    close: () => void socket.destroy(),
  };
}
