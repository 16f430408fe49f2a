import { expect, onTestFinished, test } from "vitest";
import { type ChildSpec, startChild } from "./child.ts";

test.each<[string, ChildSpec["terminal"]]>([
  ["pipes", null],
  ["a terminal", { cols: 80, rows: 24 }],
])("input is pending until the program has read it: %s", async (_, terminal) => {
  let output = "";
  const child = startChild({
    command: "sh",
    args: ["-c", `${terminal ? "stty raw -echo; " : ""}echo ready; exec cat > /dev/null`],
    cwd: "/",
    env: { PATH: process.env.PATH ?? "" },
    terminal,
    interactive: true,
    onOutput: (_stream, bytes) => {
      output += Buffer.from(bytes).toString();
    },
  });
  onTestFinished(() => child.kill());
  await expect.poll(() => output).toContain("ready");
  child.signal("SIGSTOP");
  const bytes = new Uint8Array(1024 * 1024).fill(65);
  child.write(bytes);
  expect(child.pendingInput).toBe(bytes.length);
  child.signal("SIGCONT");
  await expect.poll(() => child.pendingInput).toBe(0);
});
