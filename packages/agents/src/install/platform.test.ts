import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary.ts";
import { detectPlatform, type Platform, platformName, targetTriple } from "./platform.ts";

describe("the names of a platform", () => {
  test.each<[Platform["os"], Platform["arch"], Platform["libc"], string, string]>([
    ["linux", "x64", "glibc", "linux-x64", "x86_64-unknown-linux-musl"],
    ["linux", "x64", "musl", "linux-x64-musl", "x86_64-unknown-linux-musl"],
    ["linux", "arm64", "glibc", "linux-arm64", "aarch64-unknown-linux-musl"],
    ["linux", "arm64", "musl", "linux-arm64-musl", "aarch64-unknown-linux-musl"],
    ["darwin", "x64", null, "darwin-x64", "x86_64-apple-darwin"],
    ["darwin", "arm64", null, "darwin-arm64", "aarch64-apple-darwin"],
  ])("%s %s %s", (os, arch, libc, name, triple) => {
    expect(platformName({ os, arch, libc })).toBe(name);
    expect(targetTriple({ os, arch, libc })).toBe(triple);
  });
});

describe("detecting the platform", () => {
  const executable = (content: string) => {
    const file = join(temporaryFolder(), "runtime");
    writeFileSync(file, content);
    return file;
  };

  test("takes the library that our own runtime is linked with", () => {
    const glibc = executable("\u007fELF…/lib64/ld-linux-x86-64.so.2\0");
    const musl = executable("\u007fELF…/lib/ld-musl-x86_64.so.1\0");
    expect(detectPlatform("linux", "x64", glibc)).toEqual({ os: "linux", arch: "x64", libc: "glibc" });
    expect(detectPlatform("linux", "arm64", musl)).toEqual({ os: "linux", arch: "arm64", libc: "musl" });
    expect(detectPlatform("linux", "x64", "/nonexistent")).toEqual({ os: "linux", arch: "x64", libc: "glibc" });
  });

  test("has no C library on macOS", () => {
    expect(detectPlatform("darwin", "arm64", "/nonexistent")).toEqual({ os: "darwin", arch: "arm64", libc: null });
  });

  test.each([
    ["win32", "x64"],
    ["linux", "ia32"],
    ["freebsd", "arm64"],
  ])("finds nothing for %s %s", (os, arch) => {
    expect(detectPlatform(os, arch)).toBeNull();
  });
});
