/** Installations by several processes, some of which die in the middle. */
import { readdirSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { program, putClaude, startReleases } from "../../test/releases.ts";
import { temporaryFolder, toolFolder } from "../../test/temporary.ts";
import { createInstaller } from "./create-installer.ts";
import { detectPlatform, platformName } from "./platform.ts";

const script = fileURLToPath(new URL("../../test/install-once.ts", import.meta.url));
const platform = detectPlatform();
const asset = (version: string) => `${version}/${platform ? platformName(platform) : ""}/claude`;

async function arrange() {
  const releases = await startReleases();
  const directory = temporaryFolder();
  const env = {
    PATH: toolFolder(),
    SANDBOX_AGENT_INSTALL_SOURCE: "vendor",
    SANDBOX_AGENT_CLAUDE_RELEASES_URL: releases.url,
  };
  const installer = createInstaller({ directory, env });
  const inProcess = (version: string) =>
    Bun.spawn([process.execPath, script, "claude", version, directory], { env, stdout: "pipe", stderr: "inherit" });
  const hidden = () => readdirSync(join(directory, "claude")).filter((name) => name.startsWith("."));
  return { releases, installer, inProcess, hidden };
}

describe("a process that is killed while it installs", () => {
  test("leaves the old version in use, and nothing after the next installation", async () => {
    const { releases, installer, inProcess, hidden } = await arrange();
    putClaude(releases, "1.0.0");
    putClaude(releases, "2.0.0");
    await installer.install("claude", { version: "1.0.0" });

    const half = Promise.withResolvers<void>();
    releases.answer(asset("2.0.0"), (response) => {
      response.writeHead(200, { "Content-Length": 1_000_000 });
      response.write("x".repeat(1000), () => half.resolve());
    });
    const child = inProcess("2.0.0");
    await half.promise;
    child.kill("SIGKILL");
    await child.exited;
    expect(hidden()).toHaveLength(2);
    expect(await installer.find("claude")).toMatchObject({ version: "1.0.0" });
    expect(await installer.find("claude", "2.0.0")).toBeNull();

    putClaude(releases, "2.0.0");
    expect(await installer.install("claude", { version: "2.0.0" })).toMatchObject({ version: "2.0.0" });
    expect(hidden()).toHaveLength(2);
  });
});

describe("two processes that install the same", () => {
  test("do it once", async () => {
    const { releases, installer, inProcess } = await arrange();
    putClaude(releases, "2.0.0");
    const requested = Promise.withResolvers<ServerResponse>();
    releases.answer(asset("2.0.0"), (response) => requested.resolve(response));
    const child = inProcess("2.0.0");
    const response = await requested.promise;

    const waiting = Promise.withResolvers<void>();
    installer.onProgress(({ message }) => message.startsWith("waiting") && waiting.resolve());
    const installed = installer.install("claude", { version: "2.0.0" });
    await waiting.promise;
    response.end(program("2.0.0"));

    expect(await installed).toMatchObject({ version: "2.0.0" });
    expect(await child.exited).toBe(0);
    expect(JSON.parse(await new Response(child.stdout).text())).toEqual(await installed);
    expect(releases.requests.filter((path) => path === asset("2.0.0"))).toHaveLength(1);
  });
});
