/** A program in a real terminal: sends keys, and waits until the screen shows a text. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TerminalOptions {
  command: readonly string[];
  env: Record<string, string>;
  directory: string;
}

/** Starting a program takes long on a loaded machine. */
const patienceMs = 120_000;
const lookEveryMs = 50;

export class Terminal {
  readonly #folder = mkdtempSync(join(tmpdir(), "sandbox-agent-tmux-"));

  static async open({ command, env, directory }: TerminalOptions): Promise<Terminal> {
    const terminal = new Terminal();
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    await terminal.#tmux(
      "new-session",
      "-d",
      "-x",
      "120",
      "-y",
      "50",
      "-c",
      directory,
      "env",
      "-i",
      ...variables,
      ...command,
    );
    // Otherwise the program reads Escape and the next key as one.
    await terminal.#tmux("set-option", "-g", "escape-time", "0");
    return terminal;
  }

  screen(): Promise<string> {
    return this.#tmux("capture-pane", "-p");
  }

  /** Waits until the screen shows it, and returns the screen. */
  async shows(pattern: string | RegExp): Promise<string> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const screen = await this.screen();
      if (typeof pattern === "string" ? screen.includes(pattern) : pattern.test(screen)) return screen;
      if (performance.now() > deadline) throw new Error(`the screen does not show ${pattern}:\n${screen}`);
      await Bun.sleep(lookEveryMs);
    }
  }

  /** Types a line, and presses Enter when the screen shows the text. */
  async enter(text: string): Promise<void> {
    await this.#tmux("send-keys", "-l", text);
    await this.shows(text);
    await this.press("Enter");
  }

  async press(...keys: string[]): Promise<void> {
    await this.#tmux("send-keys", ...keys);
  }

  async close(): Promise<void> {
    await this.#tmux("kill-server").catch(() => {});
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #tmux(...args: string[]): Promise<string> {
    const tmux = Bun.spawn(["tmux", "-f", "/dev/null", "-u", "-S", join(this.#folder, "socket"), ...args], {
      stdout: "pipe",
      stderr: "pipe",
      env: { ...process.env, LANG: "C.UTF-8" },
    });
    const [stdout, stderr] = await Promise.all([new Response(tmux.stdout).text(), new Response(tmux.stderr).text()]);
    if ((await tmux.exited) !== 0) throw new Error(`tmux ${args[0]} failed: ${stderr}`);
    return stdout;
  }
}
