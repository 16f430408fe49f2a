/** Reads an event stream over a plain socket and counts its deltas, with as little work as possible. */
import { connect } from "node:net";
import type { Reader } from "./system.ts";

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };
const quietMs = 2000;

export function readDeltas(url: string, path: string, mark: string): Promise<Reader> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAccept: text/event-stream\r\n\r\n`);
  const opened = Promise.withResolvers<Reader>();
  let rest = "";
  let waiting: { deltas: number; resolve(): void } | null = null;
  const reader: Mutable<Reader> = {
    deltas: 0,
    newestAt: performance.now(),
    onText: null,
    async settled(deltas: number) {
      if (reader.deltas >= deltas) return;
      const all = Promise.withResolvers<void>();
      waiting = { deltas, resolve: all.resolve };
      reader.newestAt = performance.now();
      const timer = setInterval(() => {
        if (performance.now() - reader.newestAt > quietMs) all.resolve();
      }, 100);
      await all.promise;
      clearInterval(timer);
      waiting = null;
    },
    close: () => void socket.destroy(),
  };
  socket.on("error", opened.reject);
  socket.on("data", (chunk) => {
    opened.resolve(reader);
    const text = rest + chunk.toString("latin1");
    const end = text.lastIndexOf("\n\n") + 1;
    const frames = text.slice(0, end);
    rest = text.slice(end);
    const before = reader.deltas;
    for (let at = frames.indexOf(mark); at !== -1; at = frames.indexOf(mark, at + mark.length)) reader.deltas += 1;
    if (reader.deltas > before) reader.newestAt = performance.now();
    reader.onText?.(frames);
    if (waiting && reader.deltas >= waiting.deltas) waiting.resolve();
  });
  return opened.promise;
}
