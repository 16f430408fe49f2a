/**
 * An event stream over a plain socket. A pause stops reading from the socket, so that the daemon sees back-pressure; HTTP clients
 * would keep reading into their own buffers.
 */
import { connect } from "node:net";

export interface StreamSocket {
  pause(): void;
  resume(): void;
  destroy(): void;
  /** Resolves when the connection is closed, with the status of the response, or null when there was none. */
  closed: Promise<number | null>;
}

export interface Frame {
  id: string;
  data: string;
}

export function openStream(url: string, path: string, lastEventId: string, onFrame: (frame: Frame) => void) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nLast-Event-ID: ${lastEventId}\r\n\r\n`);
  const { promise: closed, resolve } = Promise.withResolvers<number | null>();
  const readFrames = frameReader(onFrame);
  const readChunks = chunkReader(readFrames);
  let head: Buffer | null = Buffer.alloc(0);
  let status: number | null = null;

  socket.on("data", (bytes: Buffer) => {
    if (!head) return readChunks(bytes);
    head = Buffer.concat([head, bytes]);
    const end = head.indexOf("\r\n\r\n");
    if (end === -1) return;
    status = Number(head.toString("latin1", 9, 12));
    const body = head.subarray(end + 4);
    head = null;
    if (status === 200) readChunks(body);
    else socket.destroy();
  });
  socket.on("error", () => {});
  socket.on("close", () => resolve(status));
  const stream: StreamSocket = {
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    destroy: () => void socket.destroy(),
    closed,
  };
  return stream;
}

/** Decodes HTTP's chunked encoding. */
function chunkReader(onBytes: (bytes: Buffer) => void): (bytes: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0);
  let left = 0;
  return (bytes) => {
    pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes]);
    for (;;) {
      if (left > 0) {
        if (pending.length === 0) return;
        const part = pending.subarray(0, left);
        left -= part.length;
        pending = pending.subarray(part.length);
        onBytes(part);
        continue;
      }
      // The line break after a chunk precedes the size of the next one.
      const start = pending[0] === 13 ? 2 : 0;
      const end = pending.indexOf("\r\n", start);
      if (end === -1) return;
      left = Number.parseInt(pending.toString("latin1", start, end), 16);
      pending = pending.subarray(end + 2);
      if (left === 0) return;
    }
  };
}

function frameReader(onFrame: (frame: Frame) => void): (bytes: Buffer) => void {
  const decoder = new TextDecoder();
  let rest = "";
  return (bytes) => {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const [, id, data] = block.match(/^id: (.*)\ndata: (.*)$/s) ?? [];
      if (id !== undefined && data !== undefined) onFrame({ id, data });
    }
  };
}
