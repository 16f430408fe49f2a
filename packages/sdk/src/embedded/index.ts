/**
 * A daemon of our own: started on a port it chooses, with a token only we know, and gone when we are. It holds the other
 * end of a pipe as its standard input and stops when that closes, as it does when this process dies, however it dies.
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
const outputKept = 4000;

export async function startEmbedded(options: EmbeddedOptions, signal?: AbortSignal): Promise<EmbeddedDaemon> {
  const { host = "127.0.0.1", port = 0, token = randomBytes(24).toString("hex"), timeoutMs = 30_000 } = options;
  const data = options.dataDir === undefined ? ["--ephemeral"] : ["--data-dir", options.dataDir];
  const { SANDBOX_AGENT_TOKEN: _, ...env } = { ...process.env, ...options.env };
  const child = spawn(
    findBinary(options.binaryPath, process.env),
    ["server", "--exit-with-parent", "--token-fd", "0", "--host", host, "--port", String(port), ...data],
    { stdio: ["pipe", "pipe", "pipe"], env },
  );
  // Command line and environment of a process can be read while it runs, what it reads from a pipe cannot.
  child.stdin?.on("error", () => {}).write(`${token}\n`);
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const stop = () => end(child, exited);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error(`the daemon did not start within ${timeoutMs} ms`)), timeoutMs);
  const deadline = joinSignals(signal, late.signal);
  try {
    const url = await listeningUrl(child, options.log ?? "silent", deadline.signal);
    await healthy(url, deadline.signal);
    letGo(child);
    return { url, token, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(timer);
    deadline.release();
  }
}

/** The address from the first line that the daemon prints. The rest of its output is read and shown, or dropped. */
function listeningUrl(child: ChildProcess, log: "inherit" | "silent", signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    child.stdout?.on("data", (chunk) => {
      if (log === "inherit") process.stdout.write(chunk);
      if (printed.length < outputKept) printed += String(chunk);
      const url = printed.match(/listening on (http\S+)\n/)?.[1];
      if (url) resolve(url);
    });
    child.stderr?.on("data", (chunk) => {
      if (log === "inherit") process.stderr.write(chunk);
      if (printed.length < outputKept) printed += String(chunk);
    });
    child.once("error", reject);
    child.once("close", (code) => reject(new Error(`the daemon ended with ${code} at its start: ${printed.trim()}`)));
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Node 20 never settles a `fetch` whose connection is closed at once, so each try has an end. */
async function healthy(url: string, signal: AbortSignal): Promise<void> {
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

/** A forgotten daemon does not keep this process running; it ends with it. */
function letGo(child: ChildProcess): void {
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
