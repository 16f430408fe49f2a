import { expect, test } from "vitest";
import { lazily } from "./lazily.ts";

test("it is made when it is first asked for, and once", async () => {
  let times = 0;
  const thing = lazily(async () => (times += 1));
  expect(thing.made).toBe(null);
  expect(await Promise.all([thing.get(), thing.get()])).toEqual([1, 1]);
  expect(await thing.made).toBe(1);
});

test("whoever asks after a failure has it tried again", async () => {
  let times = 0;
  const thing = lazily(async () => {
    times += 1;
    if (times === 1) throw new Error("not yet");
    return times;
  });
  const both = await Promise.allSettled([thing.get(), thing.get()]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(thing.made).toBe(null);
  expect(await thing.get()).toBe(2);
});
