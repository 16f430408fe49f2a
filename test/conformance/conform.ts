/**
 * Every scenario with one agent. Agents that run only on request are skipped, unless `CONFORMANCE_AGENT=claude,gemini` names
 * them; then all others are skipped. `npm run conformance` runs all and prints the matrix.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scenarios } from "./scenarios.ts";
import { checkHistories, type Stage, setStage } from "./stage.ts";
import { subjects } from "./subjects.ts";

const chosen = process.env.CONFORMANCE_AGENT?.split(",");

export function conform(agent: string): void {
  const subject = subjects.find(({ id }) => id === agent);
  if (!subject) throw new Error(`there is no subject ${agent}`);
  const plays = chosen?.includes(agent) ?? !subject.onRequest;

  describe.runIf(plays)(agent, () => {
    let stage: Stage;

    beforeAll(async () => {
      stage = await setStage(subject);
    }, 300_000);

    for (const { name, play } of scenarios) {
      const reason = subject.lacks[name];
      test.skipIf(reason !== undefined)(name, { timeout: 300_000 }, () => {
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
}
