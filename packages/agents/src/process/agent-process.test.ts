import { readdirSync, readlinkSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import type { AgentExit } from "../draft.ts";
import { AgentProcess, startAgentProcess } from "./agent-process.ts";

const forever = "while read -r line; do echo $line; done";

function start(script: string, onLines: (lines: string[]) => Promise<void> | void = () => {}) {
  const gone = Promise.withResolvers<AgentExit>();
  const child = new AgentProcess({
    command: ["sh", "-c", script],
    cwd: "/",
    env: { PATH: process.env.PATH ?? "" },
    onLines,
    onExit: gone.resolve,
  });
  return { child, gone: gone.promise };
}

/** Pipes and sockets that are open here. */
function openEnds(): string[] {
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)].filter((target) => /^(pipe|socket):/.test(target));
    } catch {
      return [];
    }
  });
}

test("output arrives line by line, with or without a final line end", async () => {
  const output: string[] = [];
  const { gone } = start("echo one; printf 'two\\nthree'; exit 3", (lines) => void output.push(...lines));
  expect((await gone).code).toBe(3);
  expect(output).toEqual(["one", "two", "three"]);
});

test("output that is not consumed waits in the pipe", async () => {
  const room = Promise.withResolvers<void>();
  const first = Promise.withResolvers<void>();
  let output = 0;
  const { child, gone } = start("seq 1 200000", (lines) => {
    output += lines.length;
    first.resolve();
    return room.promise;
  });
  await first.promise;
  expect(await Promise.race([child.ended, Bun.sleep(100).then(() => "held")])).toBe("held");
  expect(output).toBeLessThan(200_000);
  room.resolve();
  await gone;
  expect(output).toBe(200_000);
});

test("a program that cannot be started is named, and so is a directory that does not exist", () => {
  const options = { command: ["/no/such/program"], cwd: "/", env: {}, onLines() {}, onExit() {} };
  expect(() => startAgentProcess("claude", options)).toThrow("/no/such/program cannot be started");
  const elsewhere = { ...options, command: ["sh"], cwd: "/no/such/directory" };
  expect(() => startAgentProcess("claude", elsewhere)).toThrow("directory /no/such/directory does not exist");
});

describe("output without a line end", () => {
  /** Follows a program in a runtime of its own, whose memory nothing else changes. */
  function follow(script: string): { lines: string[]; exit: AgentExit; growth: number } {
    const module = JSON.stringify(new URL("./agent-process.ts", import.meta.url).pathname);
    const program = `
      const { AgentProcess } = await import(${module});
      const lines = [];
      const { promise, resolve } = Promise.withResolvers();
      const start = (script, onExit) => new AgentProcess({
        command: ["sh", "-c", script], cwd: "/", env: process.env, onExit,
        onLines: (some) => void lines.push(...some.map((line) => line.slice(0, 5000))),
      });
      await new Promise((done) => start("true", done));
      const before = process.resourceUsage().maxRSS;
      start(${JSON.stringify(script)}, resolve);
      const exit = await promise;
      console.log(JSON.stringify({ lines, exit, growth: process.resourceUsage().maxRSS - before }));`;
    return JSON.parse(Bun.spawnSync([process.execPath, "-e", program]).stdout.toString());
  }
  const zeros = (bytes: number) => `head -c ${bytes} /dev/zero | tr '\\0' x`;

  test("is cut and counted on stderr, and takes no memory", () => {
    const { lines, exit, growth } = follow(`(${zeros(300_000_000)}) >&2; echo over; echo the end >&2; exit 3`);
    expect(lines).toEqual(["over"]);
    expect(exit).toMatchObject({ code: 3, stderr: { total_lines: 1 } });
    expect(exit.stderr.head).toMatch(/^x{2000} \[… 299998007 more bytes\]$/);
    // In KiB: much less than a quarter of what was written.
    expect(growth).toBeLessThan(60_000);
  });

  test("is cut on stdout at a size that no message has, and what follows is read", () => {
    const { lines, growth } = follow(`${zeros(300_000_000)}; echo; echo after`);
    expect(lines).toEqual([expect.stringMatching(/^x{4096} \[… 299995904 more bytes\]$/), "after"]);
    // In KiB: the limit of a message and what reading it takes.
    expect(growth).toBeLessThan(200_000);
  });
});

describe.runIf(process.platform === "linux")("on Linux", () => {
  test("its output is a pipe, which programs it runs can open by name", async () => {
    const output: string[] = [];
    const { gone } = start("echo by name > /dev/stdout", (lines) => void output.push(...lines));
    expect((await gone).stderr?.head).toBe("");
    expect(output).toEqual(["by name"]);
  });

  test("nothing stays open of one that ended, was closed, was killed or never started", async () => {
    // Those of an earlier test may still be closing.
    const before = new Set(openEnds());
    await start("echo ended").gone;
    await start(forever).child.close();
    const { child } = start(forever);
    child.kill();
    await child.ended;
    const missing = { command: ["/nonexistent/agent"], cwd: "/", env: {}, onLines() {}, onExit() {} };
    expect(() => new AgentProcess(missing)).toThrow("ENOENT");
    await vi.waitFor(() => expect(openEnds().filter((end) => !before.has(end))).toEqual([]), 5000);
  });

  test("another process does not inherit it", async () => {
    const first = start(forever);
    const output: string[] = [];
    const second = start("for end in /proc/$$/fd/*; do readlink $end; done", (lines) => void output.push(...lines));
    await second.gone;
    await first.child.close();
    expect(output.filter((target) => target.startsWith("pipe:"))).toHaveLength(1);
  });
});
