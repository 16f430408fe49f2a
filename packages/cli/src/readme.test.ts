import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { need } from "../../../test/harness/programs.ts";
import { withCommands } from "../generate/readme.ts";
import { startServer, temporaryDirectory } from "../test/cli-process.ts";
import { createProgram } from "./program.ts";

const readme = readFileSync(join(import.meta.dirname, "../../../README.md"), "utf8");

test("the README lists the commands as they are; if not, run `npm run generate`", async () => {
  expect(withCommands(readme, await createProgram())).toBe(readme);
});

test("the first message of the README works by copy and paste", async (context) => {
  need(context, "curl");
  const [, commands = ""] = /```sh\n(TOKEN=[^`]+)```/.exec(readme) ?? [];
  const home = temporaryDirectory();
  const env = { ...process.env, XDG_DATA_HOME: home };
  const { port, stop } = await startServer(["--data-dir", join(home, "sandbox-agent")], {
    env: { XDG_DATA_HOME: home },
  });
  const shell = Bun.spawn(["sh", "-ec", commands.replaceAll("2468", String(port))], { env, stderr: "ignore" });
  const output = await new Response(shell.stdout).text();
  await stop();
  expect(output).toContain('"healthy":true');
  expect(output).toContain('"type":"turn.ended"');
});
