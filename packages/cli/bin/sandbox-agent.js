#!/usr/bin/env node
/**
 * The `sandbox-agent` executable. npm starts it on Node; the program itself runs on the Bun that npm installed with it,
 * as a child with the same terminal, whose end becomes our end.
 */
import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { constants, devNull } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const main = join(dirname(fileURLToPath(import.meta.url)), "..", "src", "main.ts");

if (process.versions.bun) await import(main);
else launch(findBun());

/**
 * `bin/bun.exe` of the `bun` package is the executable on every system, once its install script has put it there. Where
 * scripts were not allowed it is a small placeholder and the executable still lies in the package of the platform.
 */
function findBun() {
  const require = createRequire(import.meta.url);
  const packageFile = tryCall(() => require.resolve("bun/package.json"));
  if (packageFile === undefined) return undefined;
  const requireFromBun = createRequire(packageFile);
  const candidates = [
    join(dirname(packageFile), "bin", "bun.exe"),
    ...platformPackages().flatMap((name) => {
      const file = tryCall(() => requireFromBun.resolve(`${name}/package.json`));
      return file === undefined ? [] : [join(dirname(file), "bin", process.platform === "win32" ? "bun.exe" : "bun")];
    }),
  ];
  return candidates.find((path) => (tryCall(() => statSync(path).size) ?? 0) > 1_000_000);
}

function platformPackages() {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const processor = process.arch === "arm64" ? "aarch64" : process.arch;
  const plain = `@oven/bun-${system}-${processor}`;
  const musl = system === "linux" && !process.report.getReport().header.glibcVersionRuntime;
  const names = musl ? [`${plain}-musl`] : [plain];
  return [...names, ...names.map((name) => `${name}-baseline`)];
}

function tryCall(action) {
  try {
    return action();
  } catch {
    return undefined;
  }
}

function launch(bun) {
  if (bun === undefined) {
    console.error(
      `sandbox-agent: no Bun executable for ${process.platform} ${process.arch} was found next to this package.\n` +
        "Reinstall with optional dependencies: npm install --include=optional bun",
    );
    process.exit(1);
  }

  // Neither `.env` nor `bunfig.toml` of the directory we are called in may change this program.
  const isolation = ["--no-env-file", `--config=${devNull}`, "--no-install"];
  const child = spawn(bun, [...isolation, main, ...process.argv.slice(2)], { stdio: "inherit" });

  // Ctrl-C, and a service manager that ends a whole group, signal the child as well as us. Were we to pass on the same
  // signal, the child would count two requests to stop and skip its orderly end. So it learns of ours by SIGUSR2, which
  // nobody else sends (see server.ts).
  let received;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => {
      received = signal;
      child.kill("SIGUSR2");
    });

  child.on("error", (error) => {
    console.error(`sandbox-agent: cannot run ${bun}: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    const reason = signal === "SIGUSR2" && received ? received : signal;
    process.removeAllListeners(reason);
    process.kill(process.pid, reason);
    // Only reached where the signal does not end a process.
    process.exitCode = 128 + constants.signals[reason];
  });
}
