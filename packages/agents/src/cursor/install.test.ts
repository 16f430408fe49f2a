/** The program of Cursor: from its vendor's releases, or on PATH under either of its names. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { problemOf } from "../../test/problem.ts";
import { startReleases } from "../../test/releases.ts";
import { temporaryFolder, toolFolder } from "../../test/temporary.ts";
import { createInstaller } from "../install/create-installer.ts";
import type { Platform } from "../install/platform.ts";

const platform: Platform = { os: "linux", arch: "x64", libc: "glibc" };
const version = "2026.10.01-e373342";
const script = `#!/bin/sh\necho ${version}\n`;

test("the vendor's archive", async () => {
  const releases = await startReleases();
  const folder = temporaryFolder();
  mkdirSync(join(folder, "dist-package"));
  writeFileSync(join(folder, "dist-package", "cursor-agent"), script, { mode: 0o755 });
  const { stdout } = Bun.spawnSync(["tar", "-cz", "-C", folder, "dist-package"]);
  releases.put(`${version}/linux/x64/agent-cli-package.tar.gz`, stdout);
  const directory = temporaryFolder();
  const found = { PATH: toolFolder(), SANDBOX_AGENT_CURSOR_RELEASES_URL: releases.url };
  // Its vendor publishes no checksums.
  const { message } = await problemOf(createInstaller({ directory, env: found, platform }).install("cursor"));
  expect(message).toContain("--allow-unverified-downloads");
  const env = { ...found, SANDBOX_AGENT_ALLOW_UNVERIFIED_DOWNLOADS: "1" };
  const { path } = await createInstaller({ directory, env, platform }).install("cursor");
  expect(path).toBe(join(directory, "cursor", version, "dist-package", "cursor-agent"));
});

test("cursor-agent on PATH goes before agent", async () => {
  const bin = temporaryFolder();
  const find = () =>
    createInstaller({ directory: temporaryFolder(), env: { PATH: `${bin}:${toolFolder()}` }, platform }).find("cursor");
  writeFileSync(join(bin, "agent"), script, { mode: 0o755 });
  expect(await find()).toMatchObject({ path: join(bin, "agent"), version });
  writeFileSync(join(bin, "cursor-agent"), script, { mode: 0o755 });
  expect(await find()).toMatchObject({ path: join(bin, "cursor-agent") });
});
