import { describe, expect, test } from "vitest";
import { startProcess } from "../test/cli-process.ts";

/** A server that never manages to stop. */
function stubbornServer() {
  const module = JSON.stringify(new URL("./stop-signals.ts", import.meta.url).pathname);
  const script = `
    import { stopRequested } from ${module};
    setInterval(() => {}, 1000);
    stopRequested().then(() => console.log("stopping"));
    process.on("SIGWINCH", () => console.log("still here"));
    console.log("ready");`;
  return startProcess([process.execPath, "-e", script]);
}

describe("a server that is stopping", () => {
  test.each<[NodeJS.Signals, NodeJS.Signals]>([
    ["SIGTERM", "SIGTERM"],
    ["SIGINT", "SIGTERM"],
  ])("exits at once with 130 when %s is followed by %s", async (first, second) => {
    const { child, output, ended } = stubbornServer();
    await output(/ready/);
    child.kill(first);
    await output(/stopping/);
    const insist = setInterval(() => child.kill(second), 50);
    expect(await ended).toMatchObject({ code: 130, signal: null });
    clearInterval(insist);
  });

  test("treats two immediate signals as one request", async () => {
    const { child, output, ended } = stubbornServer();
    await output(/ready/);
    child.kill("SIGINT");
    child.kill("SIGTERM");
    await output(/stopping/);
    child.kill("SIGWINCH");
    await output(/still here/);
    child.kill("SIGKILL");
    expect(await ended).toMatchObject({ signal: "SIGKILL" });
  });
});
