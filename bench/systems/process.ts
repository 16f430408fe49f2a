/** Starts a daemon and waits until it is healthy. */

export interface Started {
  url: string;
  pid: number;
  startMs: number;
  stop(): Promise<void>;
}

/** `command` gets the port to listen on. Only PATH of our environment is passed on, because other variables may slow agents down. */
export async function startHealthy(command: (port: number) => string[], env: Record<string, string>): Promise<Started> {
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const started = performance.now();
  const child = Bun.spawn(command(port), {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
    env: { PATH: process.env.PATH ?? "", ...env },
  });
  while (!(await healthy(url))) {
    if (child.exitCode !== null) throw new Error(`the daemon exited with ${child.exitCode} before it was healthy`);
    await Bun.sleep(0.5);
  }
  return {
    url,
    pid: child.pid,
    startMs: performance.now() - started,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

async function healthy(url: string): Promise<boolean> {
  const response = await fetch(`${url}/v1/health`).catch(() => null);
  await response?.arrayBuffer();
  return response?.ok ?? false;
}

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = server;
  server.stop(true);
  return port ?? 0;
}
