import { describe, expect, test } from "vitest";
import { createProgressView } from "./install-progress.ts";

function written(isTTY: boolean, columns = 80): string[] {
  const texts: string[] = [];
  const view = createProgressView({ isTTY, columns, write: (text) => texts.push(text) });
  view({ agent: "claude", phase: "resolving", message: "looking" });
  view({ agent: "claude", phase: "downloading", message: "from here", fraction: 0 });
  view({ agent: "claude", phase: "downloading", message: "from here", fraction: 0.5 });
  view({ agent: "claude", phase: "done", message: "there", fraction: 1 });
  return texts;
}

describe("the progress of an installation", () => {
  test("is a bar in a terminal, which is cleared at the end", () => {
    const [first, , half, last] = written(true);
    expect(first).toBe("\r\u001b[2Kclaude  resolving  looking");
    expect(half).toBe(`\r\u001b[2Kclaude  downloading  [${"#".repeat(15)}${"-".repeat(15)}]  50%  from here`);
    expect(last).toBe("\r\u001b[2K");
  });

  test("never wraps", () => {
    for (const text of written(true, 20)) expect(text.replace("\r\u001b[2K", "").length).toBeLessThan(20);
  });

  test("is a line for each step elsewhere", () => {
    expect(written(false)).toEqual(["claude: resolving: looking\n", "claude: downloading: from here\n"]);
  });
});
