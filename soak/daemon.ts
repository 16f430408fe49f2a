/** The daemon of a run. Faults kill it and start it again on the same data; if it exits by itself, that is a violation. */
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Ledger } from "./ledger.ts";

const cli = join(import.meta.dirname, "../packages/cli/src/main.ts");

export interface SoakDaemon {
  readonly url: string;
  readonly pid: number;
  /** Number of starts. A request that spans two of them may fail. */
  readonly starts: number;
  readonly isUp: boolean;
  /** Resolves when it answers. */
  ready(): Promise<void>;
  /** Ends it with that signal and starts it again on the same data. */
  restart(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
  /** Stops it with SIGTERM. Resolves with the exit code. */
  stop(): Promise<number>;
}

export interface DaemonSetup {
  dataDir: string;
  /** File for its standard error. */
  outputFile: string;
  flags: string[];
  env: Record<string, string>;
}

interface Running {
  url: string;
  child: Bun.Subprocess<"ignore", "pipe", number>;
}

export async function startSoakDaemon(setup: DaemonSetup, ledger: Ledger): Promise<SoakDaemon> {
  let starts = 1;
  let isUp = true;
  let expected = false;
  let running = await start(setup);
  let starting: Promise<void> = Promise.resolve();
  watch(running);

  function watch({ child }: Running): void {
    void child.exited.then((code) => {
      isUp = false;
      if (expected) return;
      ledger.violate("daemon-died", `the daemon exited by itself with ${code ?? child.signalCode}: ${tail(setup)}`);
      starting = startAgain();
    });
  }

  async function startAgain(): Promise<void> {
    running = await start(setup);
    starts += 1;
    isUp = true;
    expected = false;
    watch(running);
  }

  return {
    get url() {
      return running.url;
    },
    get pid() {
      return running.child.pid;
    },
    get starts() {
      return starts;
    },
    get isUp() {
      return isUp;
    },
    ready: () => starting,
    async restart(signal) {
      await starting;
      expected = true;
      isUp = false;
      running.child.kill(signal);
      starting = running.child.exited.then(startAgain);
      await starting;
    },
    async stop() {
      expected = true;
      running.child.kill("SIGTERM");
      return running.child.exited;
    },
  };
}

async function start(setup: DaemonSetup): Promise<Running> {
  const output = openSync(setup.outputFile, "a");
  const child = Bun.spawn(
    [process.execPath, cli, "server", "--port", "0", "--no-token", "--data-dir", setup.dataDir, ...setup.flags],
    { stdin: "ignore", stdout: "pipe", stderr: output, env: { ...process.env, ...setup.env } },
  );
  closeSync(output);
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true });
    const url = text.match(/listening on (http:\S+)/)?.[1];
    if (url) return { url, child };
  }
  throw new Error(`the daemon exited before it was listening; output: ${text} ${tail(setup)}`);
}

function tail({ outputFile }: DaemonSetup): string {
  return readFileSync(outputFile, "utf8").slice(-2000);
}
