import { expect, test } from "vitest";
import { Frames } from "./frames.ts";

const big = "x".repeat(1024 * 1024);

test("frames are numbered from 1 and read from any of them on", () => {
  const frames = new Frames();
  for (const text of ["{}", "[]", "1"]) frames.push(text);
  expect(frames.page(1)).toEqual({
    text: "event: message\nid: 2\ndata: []\n\nevent: message\nid: 3\ndata: 1\n\n",
    next: 3,
  });
  expect(frames.page(3)).toBeNull();
  expect(frames.page(99)).toBeNull();
});

test("a page is not larger than it must be", () => {
  const frames = new Frames();
  for (let count = 0; count < 3; count++) frames.push(big);
  expect(frames.page(0)?.next).toBe(1);
});

test("what is too old is forgotten, and a reader goes on with the oldest that is left", () => {
  const frames = new Frames();
  for (let count = 0; count < 33; count++) frames.push(big);
  const oldest = frames.next(0);
  expect(oldest?.id).toBe(10);
  expect(frames.next(3)).toBe(oldest);
  expect(frames.next(32)?.id).toBe(33);
});

test("one frame that is larger than all that is kept is kept", () => {
  const frames = new Frames();
  frames.push("{}");
  frames.push(big.repeat(40));
  expect(frames.next(0)?.id).toBe(2);
});

test("every reader gets every frame, and the end", () => {
  const frames = new Frames();
  const heard: string[] = [];
  const reader = (name: string) => ({
    deliver: ({ end }: { end: number }) => void heard.push(`${name}${end}`),
    end: () => void heard.push(`${name} end`),
    notice: () => {},
  });
  const leave = frames.subscribe(reader("a"));
  frames.subscribe(reader("b"));
  frames.push("{}");
  leave();
  frames.push("{}");
  frames.end();
  expect(heard).toEqual(["a1", "b1", "b2", "b end"]);
});
