import { describe, expect, onTestFinished, test } from "vitest";
import { descendants, isAlive, ownerVariable, processVariable, sweepLeftovers, sweepOwned } from "./tree.ts";

/** A shell that starts a program and waits for it, both with this in their environment. */
async function start(env: Record<string, string> = {}) {
  const shell = Bun.spawn(["sh", "-c", "sleep 1000 & echo $!; wait"], {
    env: { PATH: process.env.PATH, ...env },
    stdin: "ignore",
    stdout: "pipe",
    detached: true,
  });
  const { value } = await shell.stdout.getReader().read();
  const program = Number(new TextDecoder().decode(value));
  onTestFinished(async () => {
    shell.kill("SIGKILL");
    if (isAlive(program)) process.kill(program, "SIGKILL");
    await shell.exited;
  });
  return { shell: shell.pid, program };
}

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const isGone = (pid: number) => () => !isAlive(pid);
/** An orphan is reaped by another process, which may take a moment. */
const limit = { timeout: 20_000 };

describe("processes below another", () => {
  test("are found", async () => {
    const { shell, program } = await start();
    expect(descendants(shell)).toEqual([program]);
  });

  test("are found if they were started after the last scan, a tick later", async () => {
    descendants(process.pid);
    const { shell, program } = await start();
    await new Promise((resolve) => setImmediate(resolve));
    expect(descendants(shell)).toEqual([program]);
  });
});

describe("a sweep", () => {
  test("ends everything with the owner's mark, and nothing else", async () => {
    const owner = crypto.randomUUID();
    const [owned, other] = [await start({ [ownerVariable]: owner }), await start({ [ownerVariable]: `${owner}x` })];
    expect(sweepOwned(owner)).toBe(2);
    await expect.poll(isGone(owned.program), limit).toBe(true);
    expect(isAlive(other.program)).toBe(true);
  });

  test("of leftovers kills those of every given mark, and nothing else", async () => {
    const [mark, another, third] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
    const [one, two, three] = await Promise.all(
      [mark, another, third].map((value) => start({ [processVariable]: value })),
    );
    await Promise.all([sweepLeftovers(mark), sweepLeftovers(another)]);
    await expect.poll(isGone(one?.program ?? 0), limit).toBe(true);
    await expect.poll(isGone(two?.program ?? 0), limit).toBe(true);
    expect(isAlive(three?.program ?? 0)).toBe(true);
  });

  test("of many leftovers takes about as long as that of one", async () => {
    const sweeps = (count: number) =>
      Promise.all(Array.from({ length: count }, () => sweepLeftovers(crypto.randomUUID())));
    await sweeps(1);
    const alone = await elapsed(() => sweeps(1));
    // One scan for each would take two hundred times as long.
    expect(await elapsed(() => sweeps(200))).toBeLessThan(alone * 50);
  });
});
