/** A WebSocket over a plain socket: a client that can stop reading without closing. Messages are text, in single frames. */
import { randomBytes } from "node:crypto";
import { connect } from "node:net";

export interface RawSocket {
  /** Every message so far. */
  readonly messages: string[];
  /** Resolves with the first message, from the beginning, for which the condition holds. */
  message(condition: (message: string) => boolean): Promise<string>;
  send(message: unknown): void;
  pause(): void;
  resume(): void;
  close(): void;
}

/** Resolves when the upgrade is done. */
export async function openRawSocket(url: string): Promise<RawSocket> {
  const { hostname, port, pathname, search } = new URL(url);
  const socket = connect(Number(port), hostname);
  const messages: string[] = [];
  const waiting = new Set<() => void>();
  const open = Promise.withResolvers<void>();
  let isOpen = false;
  let bytes = Buffer.alloc(0);

  socket.on("data", (chunk) => {
    bytes = Buffer.concat([bytes, Buffer.from(chunk)]);
    if (!isOpen) {
      const end = bytes.indexOf("\r\n\r\n");
      if (end === -1) return;
      isOpen = true;
      bytes = bytes.subarray(end + 4);
      open.resolve();
    }
    let offset = 0;
    for (let frame = frameAt(bytes, offset); frame; frame = frameAt(bytes, offset)) {
      if (frame.isText) messages.push(frame.text);
      offset = frame.end;
    }
    bytes = bytes.subarray(offset);
    for (const check of [...waiting]) check();
  });
  socket.on("error", open.reject);
  const key = randomBytes(16).toString("base64");
  socket.write(
    `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  await open.promise;
  return {
    messages,
    message: (condition) =>
      new Promise((resolve) => {
        let seen = 0;
        const check = () => {
          for (; seen < messages.length; seen++) {
            const message = messages[seen];
            if (message === undefined || !condition(message)) continue;
            waiting.delete(check);
            return resolve(message);
          }
        };
        waiting.add(check);
        check();
      }),
    send: (message) => void socket.write(frameOf(JSON.stringify(message))),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    close: () => void socket.destroy(),
  };
}

/** A frame of the server, which is not masked; null if it is not complete. */
function frameAt(bytes: Buffer, start: number): { text: string; end: number; isText: boolean } | null {
  if (bytes.length < start + 2) return null;
  const isText = (bytes.readUInt8(start) & 15) === 1;
  const short = bytes.readUInt8(start + 1) & 127;
  const header = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < start + header) return null;
  const length =
    short === 126 ? bytes.readUInt16BE(start + 2) : short === 127 ? Number(bytes.readBigUInt64BE(start + 2)) : short;
  const end = start + header + length;
  return bytes.length < end ? null : { text: bytes.toString("utf8", start + header, end), end, isText };
}

/** A frame of the client; a mask of zeros leaves the text as it is. */
function frameOf(text: string): Buffer {
  const payload = Buffer.from(text);
  if (payload.length > 65_535) throw new Error("too long for this client");
  const isShort = payload.length < 126;
  const header = Buffer.alloc(isShort ? 6 : 8);
  header.writeUInt8(0x81, 0);
  header.writeUInt8(0x80 | (isShort ? payload.length : 126), 1);
  if (!isShort) header.writeUInt16BE(payload.length, 2);
  return Buffer.concat([header, payload]);
}
