/** The real OpenCode program, in a home of its own, as a client of the daemon. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInstaller } from "@sandbox-agent/agents";
import { onTestFinished } from "vitest";
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
