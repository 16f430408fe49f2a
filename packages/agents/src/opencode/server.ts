/** A running `opencode serve`, on a free loopback port and with a random password. */
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import type { ProblemError } from "@sandbox-agent/schema";
import type { AgentExit } from "../draft.ts";
import { AgentProcess } from "../process/agent-process.ts";
import type { RunningServer } from "../process/leased-server.ts";
import { exitWithoutSecrets } from "../process/secrets.ts";
import { within } from "../tasks/within.ts";
import { problem, type ServerAddress } from "./http.ts";
import type { Launch } from "./launch.ts";
import { createStreams, type Streams } from "./streams.ts";

export interface OpenCodeServer extends ServerAddress, RunningServer {
  readonly url: string;
  readonly streams: Streams;
}

export interface StartOptions {
  directory: string;
  /** The server has exited on its own, after the start. */
  onExit(exit: AgentExit): void;
  /** A port that is not in use. */
  choosePort(): Promise<number>;
}

const startTimeoutMs = 60_000;
const closeGraceMs = 300;
const attempts = 5;
const readyLine = /^opencode server listening on (http:\/\/\S+)/;
const portTaken = /EADDRINUSE|port .*in use|ServeError/i;

export async function startServer(launch: Launch, options: StartOptions): Promise<OpenCodeServer> {
  mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const tried: number[] = [];
  for (;;) {
    const port = await options.choosePort();
    tried.push(port);
    const started = await attempt(launch, port, options).catch((error: Error) => ({ failure: error.message }));
    if ("server" in started) return started.server;
    if (!portTaken.test(started.failure)) throw unusable(started.failure);
    if (tried.length === attempts)
      throw unusable(
        `none of the ports ${tried.join(", ")} was free; the last attempt failed with: ${started.failure}`,
      );
  }
}

function unusable(cause: string): ProblemError {
  return problem("agent_process_exited", `opencode did not start: ${cause}`);
}

/** The port was free a moment ago, but another program may take it first. The server then reports that and exits. */
async function attempt(
  launch: Launch,
  port: number,
  { directory, onExit }: StartOptions,
): Promise<{ server: OpenCodeServer } | { failure: string }> {
  const password = crypto.randomUUID();
  const ready = Promise.withResolvers<{ url: string } | { failure: string }>();
  /** Null until the server can be used: an exit before that is a failed attempt. */
  let streams: Streams | null = null;

  const process = new AgentProcess({
    command: [...launch.command, "serve", "--hostname", "127.0.0.1", "--port", String(port)],
    cwd: directory,
    env: { ...launch.env, OPENCODE_SERVER_PASSWORD: password, OPENCODE_SERVER_USERNAME: "opencode" },
    onLines(lines) {
      const url = lines.map((line) => readyLine.exec(line.slice(0, 500))?.[1]).find((each) => each !== undefined);
      if (url) ready.resolve({ url });
    },
    onExit(exit) {
      streams?.close();
      if (streams) return onExit(exitWithoutSecrets(exit, launch.secrets));
      const { message, stderr } = exit;
      const failure = [message, stderr.head, stderr.tail].filter(Boolean).join("\n").slice(0, 2000);
      ready.resolve({ failure });
    },
  });

  const outcome = await within(startTimeoutMs, ready.promise, () => ({
    failure: `it was not ready within ${startTimeoutMs} ms`,
  }));
  if ("failure" in outcome) {
    process.kill();
    return outcome;
  }
  const address = { url: outcome.url, password };
  const followed = createStreams(address, launch.secrets, process.ended);
  streams = followed;
  async function close(): Promise<void> {
    followed.close();
    // The server has no state that a longer shutdown would save.
    await process.close(closeGraceMs);
  }
  return { server: { ...address, pid: process.pid, streams: followed, close } };
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
