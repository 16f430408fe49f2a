/** A place to run samples of a page in: a home, a directory, a daemon, and the program on the PATH. */
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { startServer } from "../../packages/cli/test/cli-process.ts";
import { temporaryDirectory } from "../harness/daemon.ts";
import { workspace } from "./markdown.ts";

const cli = join(workspace, "packages/cli/src/main.ts");

export interface SampleStage {
  /** Runs a shell script; resolves to what it printed, or what went wrong. */
  runShell(text: string): Promise<SampleResult>;
  runTypeScript(text: string): Promise<SampleResult>;
}

export interface SampleResult {
  exitCode: number;
  output: string;
}

export async function openStage(): Promise<SampleStage> {
  const home = temporaryDirectory();
  const directory = join(home, "project");
  const bin = join(home, "bin");
  const dataDir = join(home, ".local/share/sandbox-agent");
  for (const path of [directory, bin, dataDir]) mkdirSync(path, { recursive: true });
  writeProgram(join(bin, "sandbox-agent"), `exec "${process.execPath}" "${cli}" "$@"`);
  writeProgram(join(bin, "npx"), `exec "$@"`);
  symlinkSync(join(workspace, "node_modules"), join(directory, "node_modules"));

  const server = await startServer(["--data-dir", dataDir], { env: { HOME: home, XDG_DATA_HOME: "" } });
  onTestFinished(async () => void (await server.stop()));
  const url = `http://127.0.0.1:${server.port}`;
  const token = readFileSync(join(dataDir, "token"), "utf8").trim();
  const env = {
    ...process.env,
    HOME: home,
    XDG_DATA_HOME: "",
    PATH: `${bin}:${process.env.PATH}`,
    TOKEN: token,
    SANDBOX_AGENT_TOKEN: token,
    SANDBOX_AGENT_ENDPOINT: url,
  };

  async function run(command: string[]): Promise<SampleResult> {
    const child = Bun.spawn(command, {
      cwd: directory,
      env,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: 60_000,
    });
    const outputs = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    return { exitCode: await child.exited, output: outputs.join("") };
  }

  /** As a reader would: with the address of the daemon, and an agent and a directory that are here. */
  function adapted(text: string): string {
    return text
      .replaceAll("http://127.0.0.1:2468", url)
      .replaceAll(/(agent: |--agent )"?(claude|codex)"?/g, '$1"mock"')
      .replaceAll("/workspace", directory);
  }

  return {
    runShell: (text) => run(["bash", "-euo", "pipefail", "-c", withFailingCurl(adapted(text))]),
    runTypeScript: async (text) => {
      const path = join(directory, "sample.ts");
      writeFileSync(path, adapted(text));
      return run([process.execPath, path]);
    },
  };
}

/** A refused request must fail the sample. */
function withFailingCurl(text: string): string {
  return `curl() { command curl --silent --show-error --fail-with-body "$@"; }\n${text}`;
}

function writeProgram(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}
