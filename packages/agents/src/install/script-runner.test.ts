import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { scriptCommand } from "./script-runner.ts";

/** A script in a folder of its own, and what it prints when it runs there with a variable of the caller. */
function arrange(text: string) {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-agent-script-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = join(folder, "agent.mjs");
  writeFileSync(script, text);
  const run = (directory = join(folder, "agents dir's")) => {
    const { command, env } = scriptCommand(script, directory);
    const child = Bun.spawnSync([...command, "one", "two"], { cwd: folder, env: { PATH: process.env.PATH, ...env } });
    return `${child.stdout}${child.stderr}`.trim();
  };
  return { folder, run };
}

test("a program that a script starts does not become a runtime", () => {
  const { run } = arrange(`import { execFileSync } from "node:child_process";
    console.log(execFileSync("sh", ["-c", "echo variable=$BUN_BE_BUN"], { encoding: "utf8" }).trim());`);
  expect(run()).toBe("variable=");
});

test("a script is the main program and has its arguments", () => {
  const { run } = arrange("console.log(import.meta.main, process.argv.slice(2).join())");
  expect(run()).toBe("true one,two");
});

test("a script that starts its own runtime again gets it, without the variable", () => {
  const { run, folder } = arrange(`import { spawnSync } from "node:child_process";
    const again = spawnSync(process.execPath, ["./again.cjs", "x"], { encoding: "utf8" });
    console.log(again.stdout + again.stderr);`);
  writeFileSync(join(folder, "again.cjs"), "console.log(typeof Bun, process.env.BUN_BE_BUN, process.argv[2])");
  expect(run()).toBe("object undefined x");
});

test("and so does one that forks", () => {
  const { run, folder } = arrange(`import { fork } from "node:child_process";
    fork("./again.cjs", ["x"]).on("message", (message) => console.log(message));`);
  writeFileSync(join(folder, "again.cjs"), "process.send([typeof Bun, String(process.env.BUN_BE_BUN)].join())");
  expect(run()).toBe("object,undefined");
});

test("files in the directory a script runs in do not change it", () => {
  const { run, folder } = arrange("console.log(process.env.FROM_FILE, globalThis.preloaded)");
  writeFileSync(join(folder, ".env"), "FROM_FILE=yes");
  writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./preload.ts"]');
  writeFileSync(join(folder, "preload.ts"), "globalThis.preloaded = true;");
  expect(run()).toBe("undefined undefined");
});

test("a script runs when nothing can be written beside it", () => {
  const { run, folder } = arrange('console.log("runs")');
  const file = join(folder, "file");
  writeFileSync(file, "");
  expect(run(join(file, "agents"))).toBe("runs");
});

test("files of another version are replaced", () => {
  const { run, folder } = arrange('console.log(process.env.BUN_BE_BUN ?? "none")');
  const directory = join(folder, "agents");
  expect(run(directory)).toBe("none");
  const home = join(directory, `.runtime-${Bun.hash(process.execPath).toString(16)}`);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "preload.cjs"), "process.exit(3)");
  chmodSync(join(home, "preload.cjs"), 0o644);
  expect(run(directory)).toBe("none");
  expect(existsSync(join(home, "runtime"))).toBe(true);
});
