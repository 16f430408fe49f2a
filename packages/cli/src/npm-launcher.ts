/**
 * The `sandbox-agent` command of the published package @sandbox-agent/cli, for Node. Runs the executable that npm installed for this
 * platform, and exits with its exit code or signal.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { platformExecutable } from "sandbox-agent/embedded";

const executable = platformExecutable(fileURLToPath(new URL("../package.json", import.meta.url)));
if (executable) run(executable);
else fail(`no executable is installed for ${process.platform} on ${process.arch}`);

function run(executable: string): void {
  const child = spawn(executable, process.argv.slice(2), { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => fail(error.message));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function fail(reason: string): never {
  console.error(`sandbox-agent: ${reason}.
The packages @sandbox-agent/cli-<platform> are optional dependencies of @sandbox-agent/cli: reinstall it with them
(npm install --include=optional @sandbox-agent/cli), or start sandbox-agent from a container image or a release.`);
  process.exit(1);
}
