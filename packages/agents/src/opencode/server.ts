/**
 * One running `opencode serve`: started on a free port of loopback behind a random password. When it dies, everybody who
 * listens is told once and nothing of it is left.
 */
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { ProblemError } from "@sandbox-agent/schema";
import { AgentProcess } from "../process/agent-process.ts";
import type { ServerAddress } from "./http.ts";
import type { Launch } from "./launch.ts";
import { createStreams, type Streams } from "./streams.ts";

export interface OpenCodeServer extends ServerAddress {
  readonly pid: number;
  readonly startedAt: number;
  readonly launch: Launch;
  readonly streams: Streams;
  close(): Promise<void>;
}

export interface StartOptions {
  directory: string;
  /** The server is gone without having been closed. */
  onLost(reason: string): void;
  /** A port nobody listens on. */
  choosePort?(): Promise<number>;
}

const startTimeoutMs = 60_000;
const closeGraceMs = 300;
const attempts = 5;
const readyLine = /^opencode server listening on (http:\/\/\S+)/;
const portTaken = /EADDRINUSE|port .*in use|ServeError/i;

export async function startServer(launch: Launch, options: StartOptions): Promise<OpenCodeServer> {
  mkdirSync(options.directory, { recursive: true });
  const tried: number[] = [];
  for (;;) {
    const port = await (options.choosePort ?? freePort)();
    tried.push(port);
    const started = await attempt(launch, port, options).catch((error: Error) => ({ failure: error.message }));
    if ("server" in started) return started.server;
    if (!portTaken.test(started.failure)) throw unusable(started.failure);
    if (tried.length === attempts)
      throw unusable(`none of the ports ${tried.join(", ")} was free; the last attempt said: ${started.failure}`);
  }
}

function unusable(cause: string): ProblemError {
  return new ProblemError("agent_process_exited", `opencode could not be started: ${cause}`, { agent: "opencode" });
}

/** A port was free a moment ago; somebody may take it before the server does, which then says so and exits. */
async function attempt(
  launch: Launch,
  port: number,
  { directory, onLost }: StartOptions,
): Promise<{ server: OpenCodeServer } | { failure: string }> {
  const password = crypto.randomUUID();
  const ready = Promise.withResolvers<{ url: string } | { failure: string }>();
  let over = false;
  /** Null until it is of use: what ends before is a failed attempt, not a lost server. */
  let streams: Streams | null = null;

  const process = new AgentProcess({
    command: [...launch.command, "serve", "--hostname", "127.0.0.1", "--port", String(port)],
    cwd: directory,
    env: { ...launch.env, OPENCODE_SERVER_PASSWORD: password, OPENCODE_SERVER_USERNAME: "opencode" },
    onLines(lines) {
      const url = lines.map((line) => readyLine.exec(line.slice(0, 500))?.[1]).find((each) => each !== undefined);
      if (url) ready.resolve({ url });
    },
    onExit({ message, stderr }) {
      if (streams) return lose(streams, message);
      const failure = [message, stderr.head, stderr.tail]
        .filter((text) => text)
        .join("\n")
        .slice(0, 2000);
      ready.resolve({ failure });
    },
  });

  function lose(followed: Streams, reason: string): void {
    if (over) return;
    over = true;
    process.kill();
    void followed.lost(reason);
    onLost(reason);
  }

  async function close(): Promise<void> {
    if (over) return;
    over = true;
    streams?.close();
    // It keeps nothing that an orderly end would save.
    await process.close(closeGraceMs);
  }

  const timer = setTimeout(
    () => ready.resolve({ failure: `it was not ready after ${startTimeoutMs} ms` }),
    startTimeoutMs,
  );
  const outcome = await ready.promise;
  clearTimeout(timer);
  if ("failure" in outcome) {
    over = true;
    process.kill();
    return outcome;
  }
  const address = { url: outcome.url, password };
  streams = createStreams(address, launch.secrets);
  const server = { ...address, pid: process.pid, startedAt: Date.now(), launch, streams, close };
  return { server };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}
