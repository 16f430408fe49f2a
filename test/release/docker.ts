/** A Docker engine with its state in a temporary directory, and containers in it. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export interface Docker {
  /** Runs `docker` and returns its output. */
  command(...args: string[]): Promise<string>;
  /** Creates an image from a directory. */
  importImage(rootfs: string, image: string): Promise<void>;
  /** Starts a container that listens on port 2468, removed after the test. */
  start(args: string[]): Promise<Container>;
  stop(): Promise<void>;
}

export interface Container {
  id: string;
  /** The URL of its published port. */
  url: string;
}

export async function startDocker(): Promise<Docker> {
  const state = mkdtempSync(join(tmpdir(), "sandbox-agent-docker-"));
  const address = `unix://${join(state, "docker.sock")}`;
  const log = join(state, "log");
  const directories = ["--data-root", join(state, "data"), "--exec-root", join(state, "exec")];
  const engine = Bun.spawn(["dockerd", ...directories, "--pidfile", join(state, "pid"), "-H", address], {
    stdout: Bun.file(log),
    stderr: Bun.file(log),
  });

  async function command(...args: string[]): Promise<string> {
    // The classic builder: BuildKit is a plugin that may be missing.
    const env = { ...process.env, DOCKER_HOST: address, DOCKER_BUILDKIT: "0" };
    const child = Bun.spawn(["docker", ...args], { env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    const output = [new Response(child.stdout).text(), new Response(child.stderr).text()] as const;
    const [stdout, stderr] = await Promise.all(output);
    if ((await child.exited) !== 0) throw new Error(`docker ${args.join(" ")}: ${stderr}${stdout}`);
    return stdout.trim();
  }

  while (
    !(await command("version").then(
      () => true,
      () => false,
    ))
  ) {
    if (engine.exitCode !== null) throw new Error(`dockerd does not start:\n${readFileSync(log, "utf8")}`);
    await Bun.sleep(50);
  }

  return {
    command,
    async importImage(rootfs, image) {
      const archive = join(state, "rootfs.tar");
      await Bun.$`tar -C ${rootfs} -cf ${archive} .`.quiet();
      await command("import", archive, image);
    },
    async start(args) {
      const id = await command("run", "--detach", "--publish", "127.0.0.1::2468", ...args);
      onTestFinished(async () => {
        await command("rm", "--force", id);
      });
      return { id, url: `http://${await command("port", id, "2468")}` };
    },
    async stop() {
      engine.kill("SIGTERM");
      await engine.exited;
      rmSync(state, { recursive: true, force: true });
    },
  };
}
