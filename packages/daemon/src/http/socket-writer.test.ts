import { expect, test } from "vitest";
import { SocketWriter } from "./socket-writer.ts";

/** A socket whose `send` returns these values in order; 0 means that the message was dropped. */
function socketWith(statuses: number[]): { sent: unknown[]; send(message: string | Bun.BufferSource): number } {
  const sent: unknown[] = [];
  return {
    sent,
    send(message) {
      const status = statuses.shift() ?? 1;
      if (status !== 0) sent.push(message);
      return status;
    },
  };
}

test("a peer that reads does not delay the sender", () => {
  const socket = socketWith([]);
  expect(new SocketWriter(socket).send(["a", "b"])).toBeNull();
  expect(socket.sent).toEqual(["a", "b"]);
});

test("messages after a full buffer are sent when the peer has read", async () => {
  const socket = socketWith([1, -1]);
  const writer = new SocketWriter(socket);
  const sending = writer.send(["a", "b", "c"]);
  expect(socket.sent).toEqual(["a", "b"]);
  writer.drain();
  await sending;
  expect(socket.sent).toEqual(["a", "b", "c"]);
});

test("a dropped message is sent again until it is accepted", async () => {
  const socket = socketWith([1, 0, 0]);
  const writer = new SocketWriter(socket);
  let isSent = false;
  const sending = writer.send(["a", "b", "c"])?.then(() => (isSent = true));
  writer.drain();
  await Promise.resolve();
  expect([socket.sent, isSent]).toEqual([["a"], false]);
  writer.drain();
  await sending;
  expect(socket.sent).toEqual(["a", "b", "c"]);
});

test("a closed socket does not delay the sender", async () => {
  const socket = socketWith([-1]);
  const writer = new SocketWriter(socket);
  const sending = writer.send(["a", "b"]);
  writer.close();
  await sending;
  expect(writer.send(["c"])).toBeNull();
  expect(socket.sent).toEqual(["a"]);
});
