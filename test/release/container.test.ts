/** The executable in containers with only C libraries, and the container image. */
import { basename, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { buildBinary } from "../../scripts/release/binary.ts";
import { targetNamed } from "../../scripts/release/platforms.ts";
import { TestClient } from "../harness/client.ts";
import { temporaryDirectory } from "../harness/daemon.ts";
import { need } from "../harness/programs.ts";
import { type Container, type Docker, startDocker } from "./docker.ts";
import { busyboxRootfs, glibcRootfs, muslLoader, muslRootfs } from "./rootfs.ts";

const programs = ["dockerd", "docker", "tar", "busybox", "cc", muslLoader];
const dockerfile = join(import.meta.dirname, "../../Dockerfile");

let engine: Promise<Docker> | null = null;
const docker = () => (engine ??= startDocker());
afterAll(async () => (await engine?.catch(() => null))?.stop(), 60_000);

beforeEach(async (context) => {
  need(context, ...programs);
  // Docker may be installed but not permitted to run.
  await docker().catch((error) => context.skip(String(error)));
}, 60_000);

/**
 * Waits until it is healthy, and runs turns through the published port: with the mock agent inside the daemon, and with an agent
 * process. There is no other program in the container, so that process is the same executable.
 */
async function runTurns({ url, id }: Container, executable: string): Promise<void> {
  const { command } = await docker();
  while (!(await isHealthy(url))) {
    const running = await command("inspect", "--format", "{{.State.Running}}", id);
    if (running !== "true") throw new Error(`the container has exited: ${await command("logs", id)}`);
    await Bun.sleep(50);
  }
  // Null for a container with `--no-token`.
  const token = (await command("logs", id)).match(/\/ui\/\?token=(\S+)/)?.[1] ?? null;
  expect((await new TestClient(url).get("/v1/sessions")).status).toBe(token === null ? 200 : 401);
  const client = new TestClient(url, token);
  const args = ["acp", "--agent", "mock", "--endpoint", "http://127.0.0.1:2468"];
  expect((await client.put("/v1/agents/process", { command: executable, args })).status).toBe(200);
  for (const agent of ["mock", "process"]) await runTurn(client, agent);
}

async function runTurn(client: TestClient, agent: string): Promise<void> {
  expect((await client.create(agent, { agent })).status).toBe(200);
  const events = await client.stream(agent, "hello from outside");
  const answers = events.filter(
    ({ type, data }) => type === "item.completed" && "item" in data && data.item.role === "assistant",
  );
  expect(JSON.stringify(answers)).toContain("hello from outside");
  expect(events.at(-1)?.type).toBe("turn.ended");
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/v1/health`)).ok;
  } catch {
    return false;
  }
}

/** With a read-only root; only the data directory is writable. */
function bare(image: string, binary: string, user: string): string[] {
  const mounts = ["--volume", `${binary}:/sandbox-agent:ro`, "--tmpfs", "/data:mode=1777", "--read-only"];
  const server = ["/sandbox-agent", "server", "--host", "0.0.0.0", "--no-token"];
  return ["--user", user, "--env", "HOME=/data", ...mounts, image, ...server];
}

describe.each([
  ["glibc", "linux-x64", glibcRootfs],
  ["musl", "linux-x64-musl", muslRootfs],
])("in a container with only %s", (name, platform, rootfs) => {
  test("the executable serves and runs a turn, as root and as another user", { timeout: 180_000 }, async () => {
    const binary = await buildBinary(targetNamed(platform));
    const { importImage, start } = await docker();
    await importImage(await rootfs(binary), `bare-${name}`);
    for (const user of ["0:0", "1234:1234"])
      await runTurns(await start(bare(`bare-${name}`, binary, user)), "/sandbox-agent");
  });
});

test("the image serves, reports its health, and stops on SIGTERM", { timeout: 180_000 }, async () => {
  const context = temporaryDirectory();
  const binary = await buildBinary(targetNamed("linux-x64"), context);
  const { importImage, command, start } = await docker();
  await importImage(await busyboxRootfs(binary), "base");
  const settings = ["BASE=base", "PACKAGES=", `BINARY=${basename(binary)}`].flatMap((each) => ["--build-arg", each]);
  await command("build", "--tag", "sandbox-agent", "--file", dockerfile, ...settings, context);

  const container = await start(["--health-interval", "1s", "sandbox-agent"]);
  await runTurns(container, "sandbox-agent");
  const inspect = (what: string) => command("inspect", "--format", what, container.id);
  while ((await inspect("{{.State.Health.Status}}")) !== "healthy") await Bun.sleep(100);
  const run = ["sandbox-agent", "run", "-a", "mock", "--endpoint", "http://127.0.0.1:2468", "hi"];
  expect(await command("exec", container.id, ...run)).toBe("hi");
  expect(await command("exec", container.id, "id", "-u")).toBe("1000");
  await command("stop", container.id);
  expect(await inspect("{{.State.ExitCode}}")).toBe("0");

  await runTurns(await start(["--user", "root", "sandbox-agent"]), "sandbox-agent");
});
