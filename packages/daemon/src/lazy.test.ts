import { expect, test } from "vitest";
import { lazy } from "./lazy.ts";

test("it is created once, on first use", async () => {
  let times = 0;
  const thing = lazy(async () => (times += 1));
  expect(thing.made).toBe(null);
  expect(await Promise.all([thing.get(), thing.get()])).toEqual([1, 1]);
  expect(await thing.made).toBe(1);
});

test("after a failure, the next call tries again", async () => {
  let times = 0;
  const thing = lazy(async () => {
    times += 1;
    if (times === 1) throw new Error("not yet");
    return times;
  });
  const both = await Promise.allSettled([thing.get(), thing.get()]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(thing.made).toBe(null);
  expect(await thing.get()).toBe(2);
});
