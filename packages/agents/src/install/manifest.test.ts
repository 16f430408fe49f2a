import { describe, expect, test } from "vitest";
import { manifest, type Recipe } from "./manifest.ts";
import { npmSource } from "./npm-source.ts";
import type { Platform } from "./platform.ts";

const linux: Platform = { os: "linux", arch: "x64", libc: "glibc" };
const alpine: Platform = { os: "linux", arch: "arm64", libc: "musl" };
const mac: Platform = { os: "darwin", arch: "arm64", libc: null };

function recipe(agent: string): Recipe {
  const found = manifest[agent];
  if (!found) throw new Error(`no recipe for ${agent}`);
  return found;
}

function names(agent: string, platform: Platform) {
  const { npm, vendor } = recipe(agent);
  const version = npm?.version?.("1.2.3", platform) ?? "1.2.3";
  return [`${npm?.package(platform)}@${version}`, npm?.executable?.(platform), vendor?.asset("1.2.3", platform)];
}

describe("the manifest", () => {
  test("pins exact versions", () => {
    for (const { version } of Object.values(manifest)) expect(version).toMatch(/^\d+\.\d+\.\d+(-\w+)?$/);
  });

  test.each([
    ["claude", linux, "@anthropic-ai/claude-code-linux-x64@1.2.3", "claude", "1.2.3/linux-x64/claude"],
    ["claude", alpine, "@anthropic-ai/claude-code-linux-arm64-musl@1.2.3", "claude", "1.2.3/linux-arm64-musl/claude"],
    ["claude", mac, "@anthropic-ai/claude-code-darwin-arm64@1.2.3", "claude", "1.2.3/darwin-arm64/claude"],
    [
      "codex",
      linux,
      "@openai/codex@1.2.3-linux-x64",
      "vendor/x86_64-unknown-linux-musl/bin/codex",
      "download/rust-v1.2.3/codex-package-x86_64-unknown-linux-musl.tar.gz",
    ],
    [
      "codex",
      alpine,
      "@openai/codex@1.2.3-linux-arm64",
      "vendor/aarch64-unknown-linux-musl/bin/codex",
      "download/rust-v1.2.3/codex-package-aarch64-unknown-linux-musl.tar.gz",
    ],
    [
      "codex",
      mac,
      "@openai/codex@1.2.3-darwin-arm64",
      "vendor/aarch64-apple-darwin/bin/codex",
      "download/rust-v1.2.3/codex-package-aarch64-apple-darwin.tar.gz",
    ],
    ["opencode", linux, "opencode-linux-x64@1.2.3", "bin/opencode", "download/v1.2.3/opencode-linux-x64.tar.gz"],
    [
      "opencode",
      alpine,
      "opencode-linux-arm64-musl@1.2.3",
      "bin/opencode",
      "download/v1.2.3/opencode-linux-arm64-musl.tar.gz",
    ],
    ["amp", linux, "@ampcode/cli-linux-x64@1.2.3", "amp", "1.2.3/amp-linux-x64"],
    ["amp", mac, "@ampcode/cli-darwin-arm64@1.2.3", "amp", "1.2.3/amp-darwin-arm64"],
    ["opencode", mac, "opencode-darwin-arm64@1.2.3", "bin/opencode", "download/v1.2.3/opencode-darwin-arm64.zip"],
  ])("names the build of %s for %j", (agent, platform, spec, executable, asset) => {
    expect(names(agent, platform)).toEqual([spec, executable, asset]);
  });

  test("has the path of the program in a package", () => {
    expect(npmSource.executable(recipe("codex"), linux, "/nowhere")).toBe(
      "node_modules/@openai/codex/vendor/x86_64-unknown-linux-musl/bin/codex",
    );
  });
});

describe("checksums of a vendor", () => {
  const claude = recipe("claude").vendor?.checksums;
  const codex = recipe("codex").vendor?.checksums;

  test("are read from a manifest by platform", () => {
    const text = JSON.stringify({ platforms: { "linux-x64": { checksum: "ab12", size: 3 } } });
    expect(claude?.read(text, "1/linux-x64/claude", linux)).toBe("ab12");
    expect(claude?.read(text, "1/darwin-arm64/claude", mac)).toBeUndefined();
    expect(claude?.read("[]", "1/linux-x64/claude", linux)).toBeUndefined();
  });

  test("are read from sums by the whole name of the file", () => {
    const text = "aa  codex-app-server-package-x.tar.gz\nbb  codex-package-x.tar.gz\ncc *codex-package-y.tar.gz\n";
    expect(codex?.read(text, "download/rust-v1/codex-package-x.tar.gz", linux)).toBe("bb");
    expect(codex?.read(text, "download/rust-v1/codex-package-y.tar.gz", linux)).toBe("cc");
    expect(codex?.read(text, "download/rust-v1/package-x.tar.gz", linux)).toBeUndefined();
  });
});
