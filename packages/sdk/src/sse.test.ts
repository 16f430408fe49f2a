import { describe, expect, test } from "vitest";
import { type Frame, readFrames } from "./sse.ts";

describe("frames are read", () => {
  const text =
    ': hello\r\n\r\nid: 1\r\ndata: {"a":"ü"}\r\n\r\nid: 2\ndata: one\ndata: two\n\n: ping\n\ndata: no id\n\n';
  const expected = [
    { id: "1", data: '{"a":"ü"}' },
    { id: "2", data: "one\ntwo" },
    { id: "", data: "no id" },
  ];

  test.each([1, 2, 3, 7, 1000])("from chunks of %i bytes", async (size) => {
    expect(await frames(chunks(text, size))).toEqual(expected);
  });

  test("with the name of their event", async () => {
    expect(await frames(chunks("event: reset\nid: 0\ndata: {}\n\nid: 1\ndata: x\n\n", 1000))).toEqual([
      { id: "0", event: "reset", data: "{}" },
      { id: "1", data: "x" },
    ]);
  });

  test("from a response without a body", async () => {
    const all: Frame[] = [];
    for await (const frame of readFrames(new Response(null))) all.push(frame);
    expect(all).toEqual([]);
  });

  test("and all data is reported, including comments", async () => {
    let arrived = 0;
    const body = chunks(": ping\n\n: ping\n\n", 8);
    for await (const _ of readFrames(new Response(body), () => void (arrived += 1)));
    expect(arrived).toBe(2);
  });

  test("without the last one if it is incomplete", async () => {
    expect(await frames(chunks("id: 1\ndata: whole\n\nid: 2\ndata: ha", 5))).toEqual([{ id: "1", data: "whole" }]);
  });

  test("when one is 10 MB long", async () => {
    const data = "x".repeat(10 * 1024 * 1024);
    const [frame] = await frames(chunks(`data: ${data}\n\n`, 64 * 1024));
    expect(frame?.data.length).toBe(data.length);
  });

  test("on demand, and the connection is released when the reader stops", async () => {
    let cancelled = false;
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode("data: again\n\n")),
      cancel: () => void (cancelled = true),
    });
    for await (const frame of readFrames(new Response(body))) if (frame.data === "again") break;
    expect(cancelled).toBe(true);
  });
});

function chunks(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let position = 0;
  return new ReadableStream({
    pull(controller) {
      if (position >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(position, (position += size)));
    },
  });
}

async function frames(body: ReadableStream<Uint8Array>): Promise<Frame[]> {
  const all: Frame[] = [];
  for await (const frame of readFrames(new Response(body))) all.push(frame);
  return all;
}
