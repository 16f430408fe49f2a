/**
 * Every scenario with every agent but those that play only on request. `CONFORMANCE_AGENT=claude,gemini` chooses;
 * `npm run conformance` plays all and prints the matrix.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scenarios } from "./scenarios.ts";
import { checkHistories, type Stage, setStage } from "./stage.ts";
import { subjects } from "./subjects.ts";

const chosen = process.env.CONFORMANCE_AGENT?.split(",");

describe.each(subjects.filter(({ id, onRequest }) => chosen?.includes(id) ?? !onRequest))("$id", (subject) => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await setStage(subject);
  }, 300_000);

  for (const { name, play } of scenarios) {
    const reason = subject.lacks[name];
    test.skipIf(reason !== undefined)(name, { timeout: 120_000 }, () => {
      stage.clear();
      return play(stage);
    });
  }

  test("all histories are well-formed", () => checkHistories(stage));

  test("no process is left behind", async () => {
    expect(await stage.stop()).toEqual([]);
  });

  afterAll(() => stage?.stop().catch(() => {}));
});
