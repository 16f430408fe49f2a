/** The platform of this machine, and its names in different download schemes. */
import { closeSync, openSync, readSync } from "node:fs";

export interface Platform {
  os: "linux" | "darwin";
  arch: "x64" | "arm64";
  /** The C library of Linux systems; null elsewhere. */
  libc: "glibc" | "musl" | null;
}

/** This machine's platform, or null if no agent is built for it. */
export function detectPlatform(
  os: string = process.platform,
  arch: string = process.arch,
  ownExecutable: string = process.execPath,
): Platform | null {
  if (arch !== "x64" && arch !== "arm64") return null;
  if (os === "darwin") return { os, arch, libc: null };
  if (os === "linux") return { os, arch, libc: libcOf(ownExecutable) };
  return null;
}

/** linux-x64, linux-arm64-musl, darwin-arm64, … */
export function platformName({ os, arch, libc }: Platform): string {
  return `${os}-${arch}${libc === "musl" ? "-musl" : ""}`;
}

/** The name in the ACP registry, which does not distinguish C libraries. */
export function registryPlatform({ os, arch }: Platform): RegistryPlatform {
  return `${os}-${arch === "x64" ? "x86_64" : "aarch64"}`;
}

type RegistryPlatform = `${Platform["os"]}-${"x86_64" | "aarch64"}`;

/** Rust's target triple. Programs for Linux are statically linked with musl and run everywhere. */
export function targetTriple({ os, arch }: Platform): string {
  const cpu = arch === "x64" ? "x86_64" : "aarch64";
  return os === "linux" ? `${cpu}-unknown-linux-musl` : `${cpu}-apple-darwin`;
}

const headerBytes = 4096;

/**
 * The C library of our own runtime, by the loader in its header. Files on the machine are no evidence: both loaders may be
 * installed, but the one that our own runtime uses works.
 */
function libcOf(executable: string): "glibc" | "musl" {
  return firstBytes(executable, headerBytes).includes("/ld-musl-") ? "musl" : "glibc";
}

/** The first bytes of a file, one character per byte; empty if it cannot be read. */
export function firstBytes(path: string, count: number): string {
  const bytes = Buffer.alloc(count);
  try {
    const file = openSync(path, "r");
    const length = readSync(file, bytes);
    closeSync(file);
    return bytes.toString("latin1", 0, length);
  } catch {
    return "";
  }
}
