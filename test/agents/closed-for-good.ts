/** A test for every agent: a closed session starts nothing. */
import type { Agent } from "@sandbox-agent/agents";
import { expect, test } from "vitest";
import { spec } from "../../packages/agents/src/mock/mock-drafts.ts";
import { sweepOwned } from "../../packages/agents/src/process/tree.ts";

interface ClosableLab {
  agent: Agent;
  directory: string;
  owner: string;
  stop(): Promise<void>;
}

export function closedForGood(startLab: () => Promise<ClosableLab>): void {
  test("that is closed starts no process", async () => {
    const lab = await startLab();
    const session = await lab.agent.open({ ...spec, directory: lab.directory, model: null }, { emit: () => {} });
    await session.close();
    await session.send({ number: 1, text: "hello", attachments: [] }).catch(() => {});
    await lab.stop();
    await lab.agent.close?.();
    expect(sweepOwned(lab.owner)).toBe(0);
  });
}
