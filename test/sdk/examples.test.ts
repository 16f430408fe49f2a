import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startTestDaemon } from "../harness/daemon.ts";

describe("the example", () => {
  test("basic prints the answer", async () => {
    const { url } = await startTestDaemon({ token: "T" });
    const env = { SANDBOX_AGENT_ENDPOINT: url, SANDBOX_AGENT_TOKEN: "T" };
    expect(await run("basic", ["echo What a day"], env)).toBe("What a day\ncompleted, 0 tokens\n");
  });

  test("permissions answers requests and questions", async () => {
    const { url } = await startTestDaemon();
    const output = await run("permissions", ["permission", "question"], { SANDBOX_AGENT_ENDPOINT: url });
    expect(output.split("\n").toSorted()).toEqual([
      "",
      "All answered, thank you.",
      "All answered, thank you.",
      "Shall I go on? Yes",
      "Which colour? Red",
      'allowed: command_execution {"command":"ls -la"}',
      'rejected: file_change {"path":"/etc/hosts"}',
    ]);
  });

  test("embedded needs no daemon", async () => {
    expect(await run("embedded", ["echo one", "echo two"])).toBe("one\ntwo\n");
  });
});

async function run(example: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const main = join(import.meta.dirname, "../../examples", example, "main.ts");
  const child = Bun.spawn([process.execPath, main, ...args], {
    env: { ...process.env, ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  expect(stderr).toBe("");
  expect(await child.exited).toBe(0);
  return stdout;
}
