/**
 * An embedded daemon: it chooses a port, has a token that only this process knows, and ends with this process. Its standard input is
 * a pipe from this process, and it stops when the pipe closes, however this process ends.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createTransport } from "../transport.ts";
import { joinSignals, sleep } from "../wait.ts";
import { findBinary } from "./binary.ts";
import type { EmbeddedOptions } from "./options.ts";

export { platformExecutable } from "./platform-package.ts";

export interface EmbeddedDaemon {
  url: string;
  token: string;
  stop(): Promise<void>;
}

const graceMs = 5000;
const maxOutput = 4000;

export async function startEmbedded(options: EmbeddedOptions, signal?: AbortSignal): Promise<EmbeddedDaemon> {
  const { host = "127.0.0.1", port = 0, token = randomBytes(24).toString("hex"), timeoutMs = 30_000 } = options;
  const data = options.dataDir === undefined ? ["--ephemeral"] : ["--data-dir", options.dataDir];
  const { SANDBOX_AGENT_TOKEN: _, ...env } = { ...process.env, ...options.env };
  const child = spawn(
    findBinary(options.binaryPath, process.env),
    ["server", "--exit-with-parent", "--token-fd", "0", "--host", host, "--port", String(port), ...data],
    { stdio: ["pipe", "pipe", "pipe"], env },
  );
  // By pipe, because other processes can read command line and environment.
  child.stdin?.on("error", () => {}).write(`${token}\n`);
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const stop = () => end(child, exited);
  const startTimeout = new AbortController();
  const timer = setTimeout(
    () => startTimeout.abort(new Error(`the daemon did not start within ${timeoutMs} ms`)),
    timeoutMs,
  );
  const deadline = joinSignals(signal, startTimeout.signal);
  try {
    const url = await listeningUrl(child, options.log ?? "silent", deadline.signal);
    await waitUntilHealthy(url, deadline.signal);
    unref(child);
    return { url, token, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(timer);
    deadline.release();
  }
}

/** The URL from the first line of the daemon's output. The rest is printed or dropped. */
function listeningUrl(child: ChildProcess, log: "inherit" | "silent", signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    child.stdout?.on("data", (chunk) => {
      if (log === "inherit") process.stdout.write(chunk);
      if (printed.length < maxOutput) printed += String(chunk);
      const url = printed.match(/listening on (http\S+)\n/)?.[1];
      if (url) resolve(url);
    });
    child.stderr?.on("data", (chunk) => {
      if (log === "inherit") process.stderr.write(chunk);
      if (printed.length < maxOutput) printed += String(chunk);
    });
    child.once("error", reject);
    child.once("close", (code) =>
      reject(new Error(`the daemon exited with ${code} during its start: ${printed.trim()}`)),
    );
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Node 20 never settles a `fetch` whose connection is closed at once, so each attempt has a timeout. */
async function waitUntilHealthy(url: string, signal: AbortSignal): Promise<void> {
  const transport = createTransport({ baseUrl: url }, signal);
  for (;;) {
    signal.throwIfAborted();
    const attempt = new AbortController();
    const timer = setTimeout(() => attempt.abort(), 2000);
    try {
      await (await transport.call("getHealth", { signal: attempt.signal })).text();
      return;
    } catch {
      await sleep(50, signal);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The daemon does not keep this process running; it ends with it. */
function unref(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    if (stream && "unref" in stream && typeof stream.unref === "function") stream.unref();
  }
}

async function end(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  child.kill("SIGTERM");
  const force = setTimeout(() => child.kill("SIGKILL"), graceMs);
  await exited;
  clearTimeout(force);
}
