import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { executableName, platformExecutable } from "./platform-package.ts";

const here = { os: [process.platform], cpu: [process.arch] };
const loader = process.platform === "linux" ? ["glibc"] : undefined;

describe("the executable of this platform", () => {
  test("is in the installed package that matches, whatever else is installed", () => {
    const manifest = installed({
      "cli-elsewhere": { os: ["aix"], cpu: [process.arch] },
      "cli-other-processor": { os: [process.platform], cpu: ["mips"] },
      "cli-musl": { ...here, libc: ["musl"] },
      "cli-here": { ...here, libc: loader },
    });
    expect(platformExecutable(manifest)).toBe(
      join(dirname(manifest), "node_modules/@sandbox-agent/cli-here/bin", executableName),
    );
  });

  test("is found in a package without a libc", () => {
    expect(platformExecutable(installed({ "cli-here": here }))).toContain("cli-here");
  });

  test.each([
    ["none matches", { "cli-other-processor": { os: [process.platform], cpu: ["mips"] } }],
    ["none is installed", {}],
  ])("is not found when %s", (_, packages) => {
    expect(platformExecutable(installed(packages, ["cli-forgotten"]))).toBeNull();
  });
});

/** A `@sandbox-agent/cli` that depends on these packages, which are installed, and on `missing`, which are not. */
function installed(packages: Record<string, object>, missing: string[] = []): string {
  const root = mkdtempSync(join(tmpdir(), "sandbox-agent-platforms-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, manifest] of Object.entries(packages)) {
    const directory = join(root, "node_modules/@sandbox-agent", name);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "package.json"), JSON.stringify(manifest));
  }
  const names = [...missing, ...Object.keys(packages)].map((name) => [`@sandbox-agent/${name}`, "0.1.0"]);
  const manifest = join(root, "package.json");
  writeFileSync(manifest, JSON.stringify({ optionalDependencies: Object.fromEntries(names) }));
  return manifest;
}
