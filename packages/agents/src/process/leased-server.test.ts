/** Leasing servers that are real processes. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AgentExit } from "../draft.ts";
import { startAgentProcess } from "./agent-process.ts";
import { LeasedServers, type RunningServer } from "./leased-server.ts";
import { isAlive } from "./tree.ts";

interface Launch {
  key: string;
  command?: string;
}

let servers: LeasedServers<Launch, RunningServer>;
const started: string[] = [];

function create(idleMs = 0): LeasedServers<Launch, RunningServer> {
  return new LeasedServers<Launch, RunningServer>({
    agent: "test",
    idleMs,
    log: () => {},
    async start({ key, command = "cat" }, onExit) {
      started.push(key);
      return startAgentProcess("test", { command: [command], cwd: "/", env: {}, onLines: () => {}, onExit });
    },
  });
}

beforeEach(() => {
  started.length = 0;
  servers = create();
});

afterEach(() => servers.close());

const gone = (pid: number) => vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 });

test("leases of one launch share a server, which the last release stops", async () => {
  const [one, two, other] = [servers.lease({ key: "a" }), servers.lease({ key: "a" }), servers.lease({ key: "b" })];
  const [server, same, different] = await Promise.all([one.server(), two.server(), other.server()]);
  expect(same).toBe(server);
  expect(different.pid).not.toBe(server.pid);
  await one.release();
  await one.release();
  expect(isAlive(server.pid)).toBe(true);
  await expect(one.server()).rejects.toThrow("closed");
  await two.release();
  expect([isAlive(server.pid), isAlive(different.pid)]).toEqual([false, true]);
  expect(started).toEqual(["a", "b"]);
});

test("an exit notifies all leases of the server; the next request starts it again", async () => {
  const exits: [string, AgentExit][] = [];
  const lease = (name: string, key: string) => servers.lease({ key }, (exit) => exits.push([name, exit]));
  const [one, , other] = [lease("one", "a"), lease("two", "a"), lease("other", "b")];
  const [{ pid }] = await Promise.all([one.server(), other.server()]);
  await other.release();
  process.kill(pid, "SIGKILL");
  await vi.waitFor(() => expect(exits).toHaveLength(2), { timeout: 10_000 });
  expect(exits).toMatchObject([
    ["one", { message: expect.stringContaining("SIGKILL") }],
    ["two", { message: expect.stringContaining("SIGKILL") }],
  ]);
  expect(servers.status()).toMatchObject({ status: "error", restartCount: 0, lastError: expect.any(String) });
  expect((await one.server()).pid).not.toBe(pid);
  expect(servers.status()).toMatchObject({ status: "running", restartCount: 1, uptimeMs: expect.any(Number) });
  expect(servers.status()).not.toHaveProperty("lastError");
});

test("a failed start is reported to all waiting callers, and retried for the next one", async () => {
  const launch: Launch = { key: "a", command: "/no/such/program" };
  const lease = servers.lease(launch);
  const attempts = await Promise.allSettled([lease.server(), lease.server()]);
  expect(attempts.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(servers.status()).toMatchObject({ status: "error", lastError: expect.stringContaining("/no/such/program") });
  launch.command = "cat";
  await lease.server();
  expect(started).toEqual(["a", "a"]);
  expect(servers.status().status).toBe("running");
});

test("a server is stopped when no lease was busy for a while, and started again when it is needed", async () => {
  servers = create(20);
  const [one, two] = [servers.lease({ key: "a" }), servers.lease({ key: "a" })];
  one.setBusy(true);
  two.setBusy(true);
  const { pid } = await one.server();
  two.setBusy(false);
  await Bun.sleep(60);
  expect(isAlive(pid)).toBe(true);
  one.setBusy(false);
  await gone(pid);
  expect(servers.status()).toEqual({ status: "stopped", restartCount: 0 });
  expect((await two.server()).pid).not.toBe(pid);
});

test("a server that lingers after its last release is kept for the next lease", async () => {
  const first = servers.lease({ key: "a" });
  const { pid } = await first.server();
  await first.release(60_000);
  const second = servers.lease({ key: "a" });
  expect((await second.server()).pid).toBe(pid);
  await second.release(1);
  await gone(pid);
});

test("a server that is still starting when its last lease is released is stopped", async () => {
  const lease = servers.lease({ key: "a" });
  const starting = lease.server();
  await lease.release();
  await gone((await starting).pid);
});
