/** The real OpenCode program, in a home of its own, as a client of the daemon. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInstaller } from "@sandbox-agent/agents";
import { expect, onTestFinished } from "vitest";
import { temporaryDirectory } from "../harness/daemon.ts";
import { Terminal } from "./terminal.ts";

export const token = "test-token";
const installer = createInstaller({ directory: join(tmpdir(), "sandbox-agent-test-agents"), env: process.env });

export async function openCodeCommand(): Promise<readonly string[]> {
  return (await installer.install("opencode", {})).command;
}

export function openCodeEnvironment(): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: temporaryDirectory(),
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    OPENCODE_SERVER_PASSWORD: token,
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
  };
}

export interface Observed {
  url: string;
  /** Resolves when a matching request was sent, and all requests are answered. */
  answered(path: RegExp): Promise<void>;
}

/** A proxy to the daemon that records a client's requests. */
export function observe(daemonUrl: string): Observed {
  const asked: string[] = [];
  let open = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const { method, headers, signal } = request;
      const forwarded = { method, headers, signal, ...(request.body && { body: await request.bytes() }) };
      asked.push(pathname);
      open += 1;
      try {
        const answer = await fetch(`${daemonUrl}${pathname}${search}`, { ...forwarded, decompress: false });
        if (answer.headers.get("content-type")?.startsWith("text/event-stream")) return answer;
        return new Response(await answer.bytes(), { status: answer.status, headers: answer.headers });
      } finally {
        open -= 1;
      }
    },
  });
  onTestFinished(() => server.stop(true));
  return {
    url: `http://127.0.0.1:${server.port}`,
    answered: (path) =>
      expect.poll(() => open === 0 && asked.some((each) => path.test(each)), { timeout: 60_000 }).toBe(true),
  };
}

/** Its terminal interface, attached to the daemon. */
export async function attachTui(url: string, ...args: string[]): Promise<Terminal> {
  const directory = temporaryDirectory();
  const command = [...(await openCodeCommand()), "attach", `${url}/opencode`, "--dir", directory, ...args];
  return openTerminal(command, directory, openCodeEnvironment());
}

export async function openTerminal(
  command: readonly string[],
  directory: string,
  env: Record<string, string>,
): Promise<Terminal> {
  const terminal = await Terminal.open({ command, directory, env });
  onTestFinished(() => terminal.close());
  return terminal;
}
