import { expect, test } from "vitest";
import { background, onTaskFailure, type TaskFailure } from "./background.ts";
import { within } from "./within.ts";

test("a failed background task reaches the handler, with its name and session", async () => {
  const failures: TaskFailure[] = [];
  const restore = onTaskFailure((failure) => failures.push(failure));
  const error = new Error("disk is gone");
  background("store the file", Promise.reject(error), "s1");
  background("do nothing", undefined);
  await Bun.sleep(0);
  restore();
  expect(failures).toEqual([{ task: "store the file", sessionId: "s1", error }]);
});

test("within gives the value, the failure, or what replaces it when time is up", async () => {
  const never = new Promise<string>(() => {});
  expect(await within(1000, Promise.resolve("done"))).toBe("done");
  await expect(within(1000, Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await within(1, never)).toBeUndefined();
  expect(await within(1, never, () => "instead")).toBe("instead");
  const refuse = () => {
    throw new Error("too slow");
  };
  await expect(within(1, never, refuse)).rejects.toThrow("too slow");
});

test("a settled promise leaves no timer behind", () => {
  const program = `import { within } from ${JSON.stringify(new URL("./within.ts", import.meta.url).pathname)}; await within(60_000, Promise.resolve());`;
  const started = performance.now();
  expect(Bun.spawnSync([process.execPath, "-e", program], { timeout: 20_000 }).exitCode).toBe(0);
  expect(performance.now() - started).toBeLessThan(20_000);
});
