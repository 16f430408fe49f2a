/** Every scenario with every agent. `CONFORMANCE_AGENT=claude` chooses one; `npm run conformance` prints the matrix. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scenarios } from "./scenarios.ts";
import { checkHistories, type Stage, setStage } from "./stage.ts";
import { subjects } from "./subject.ts";

const chosen = process.env.CONFORMANCE_AGENT?.split(",");

describe.each(subjects.filter(({ id }) => !chosen || chosen.includes(id)))("$id", (subject) => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await setStage(subject);
  }, 300_000);

  for (const { name, play } of scenarios) {
    const reason = subject.lacks[name];
    test.skipIf(reason !== undefined)(name, { timeout: 120_000 }, () => play(stage));
  }

  test("all histories are well-formed", () => checkHistories(stage));

  test("no process is left behind", async () => {
    expect(await stage.stop()).toEqual([]);
  });

  afterAll(() => stage?.stop().catch(() => {}));
});
