import { expect, test } from "vitest";
import { RefusalLog } from "./refusal-log.ts";

test("20 refusals are recorded in a minute; the next minute records how many were skipped", () => {
  const log = new RefusalLog();
  const recorded: number[] = [];
  const record = (skipped: number) => recorded.push(skipped);
  for (let count = 0; count < 50; count++) log.add(record, 0);
  expect(recorded).toEqual(Array(20).fill(0));
  log.add(record, 59_999);
  expect(recorded).toHaveLength(20);
  log.add(record, 60_000);
  log.add(record, 60_001);
  expect(recorded.slice(20)).toEqual([31, 0]);
});
