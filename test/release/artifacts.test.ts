/** The parts of a release besides executables and packages: version, release notes, checksums, bill of materials. */
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import workspace from "../../package.json" with { type: "json" };
import { changesOf, releaseChanges } from "../../scripts/release/changelog.ts";
import { writeChecksums } from "../../scripts/release/checksums.ts";
import { installerFor } from "../../scripts/release/installer.ts";
import { releaseSbom } from "../../scripts/release/sbom.ts";
import { setVersions, versionsIn } from "../../scripts/release/versions.ts";
import { temporaryDirectory } from "../harness/daemon.ts";
import { need } from "../harness/programs.ts";

const root = join(import.meta.dirname, "../..");

describe("the version", () => {
  test("is the same everywhere", () => {
    const versions = versionsIn(root);
    expect(versions.size).toBeGreaterThan(10);
    expect([...versions].filter(([, version]) => version !== workspace.version)).toEqual([]);
  });

  test("is set everywhere at once, and nothing else changes", () => {
    const copy = temporaryDirectory();
    const files = ["package.json", "package-lock.json", ...globSync("packages/*/package.json", { cwd: root })];
    for (const file of files) {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      cpSync(join(root, file), join(copy, file));
    }
    setVersions(copy, "98.76.54");
    expect(new Set(versionsIn(copy).values())).toEqual(new Set(["98.76.54"]));
    expect(readFileSync(join(copy, "package-lock.json"), "utf8")).toContain("98.76.54");
    setVersions(copy, workspace.version);
    for (const file of files)
      expect(readFileSync(join(copy, file), "utf8"), file).toBe(readFileSync(join(root, file), "utf8"));
  });
});

describe("the changelog", () => {
  const text = "# Changelog\n\n## Unreleased\n\n### Added\n- A thing.\n\n## 1.0.0 - 2026-01-01\n\n- The first.\n";

  test("moves the unreleased changes to the new version", () => {
    const released = releaseChanges(text, "1.1.0", "2026-02-03");
    expect(released).toContain("## Unreleased\n\n## 1.1.0 - 2026-02-03\n\n### Added\n- A thing.\n");
    expect(changesOf(released, "1.1.0")).toBe("### Added\n- A thing.");
    expect(changesOf(released, "1.0.0")).toBe("- The first.");
  });

  test("is not released without changes", () => {
    const released = releaseChanges(text, "1.1.0", "2026-02-03");
    expect(() => releaseChanges(released, "1.2.0", "2026-02-04")).toThrow("nothing under Unreleased");
    expect(changesOf(released, "1.2.0")).toBeNull();
  });

  test("of this project has an Unreleased section", () => {
    expect(readFileSync(join(root, "CHANGELOG.md"), "utf8")).toMatch(/^## Unreleased$/m);
  });
});

test("checksums are those that sha256sum computes", async (context) => {
  need(context, "sha256sum");
  const directory = temporaryDirectory();
  writeFileSync(join(directory, "one"), "1");
  writeFileSync(join(directory, "two words"), new Uint8Array(3_000_000));
  await writeChecksums(directory);
  await writeChecksums(directory);
  const check = Bun.spawnSync(["sha256sum", "--check", "--strict", "SHA256SUMS"], { cwd: directory });
  expect(check.stdout.toString()).toBe("one: OK\ntwo words: OK\n");
});

test("the installer of a release has the download URL", () => {
  expect(installerFor("https://example.com/v1/")).toContain("\nrelease_url=https://example.com/v1\n");
  expect(() => installerFor("https://example.com/$(reboot)")).toThrow("not a valid download URL");
});

test("the bill of materials has the released packages, and no development tools", { timeout: 120_000 }, async () => {
  const { components, dependencies, metadata } = await releaseSbom();
  const names = components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["bun", "zod", "commander", "react", "@sandbox-agent/daemon"]));
  expect(names.filter((name) => /^(vite|vitest|typescript|@biomejs\/.*|playwright-core)$/.test(name))).toEqual([]);
  const known = new Set([...components, metadata.component].map((component) => component["bom-ref"]));
  expect(dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter((ref) => !known.has(ref))).toEqual(
    [],
  );
});

test.each(globSync(".github/workflows/*.yml", { cwd: root }))("%s runs only scripts that exist", (file) => {
  const text = readFileSync(join(root, file), "utf8");
  const { jobs }: { jobs: Record<string, { steps: unknown[] }> } = JSON.parse(JSON.stringify(Bun.YAML.parse(text)));
  expect(Object.values(jobs).every(({ steps }) => steps.length > 0)).toBe(true);
  const scripts = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = ""]) => name);
  expect(scripts.filter((name) => !(name in workspace.scripts))).toEqual([]);
});
