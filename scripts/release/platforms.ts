/** The platforms of a release, and the Bun runtime package of each. */
import { detectPlatform, platformName } from "../../packages/agents/src/install/platform.ts";

export interface Target {
  /** Used in names of files and packages. */
  name: string;
  /** As in npm manifests. */
  os: "linux" | "darwin" | "win32";
  cpu: "x64" | "arm64";
  /** The name of its @oven package, which is also the compile target of Bun. */
  runtime: Bun.Build.CompileTarget;
}

export const targets: readonly Target[] = [
  { name: "linux-x64", os: "linux", cpu: "x64", runtime: "bun-linux-x64" },
  { name: "linux-x64-musl", os: "linux", cpu: "x64", runtime: "bun-linux-x64-musl" },
  { name: "linux-arm64", os: "linux", cpu: "arm64", runtime: "bun-linux-aarch64" },
  { name: "linux-arm64-musl", os: "linux", cpu: "arm64", runtime: "bun-linux-aarch64-musl" },
  { name: "darwin-x64", os: "darwin", cpu: "x64", runtime: "bun-darwin-x64" },
  { name: "darwin-arm64", os: "darwin", cpu: "arm64", runtime: "bun-darwin-aarch64" },
  { name: "windows-x64", os: "win32", cpu: "x64", runtime: "bun-windows-x64" },
];

/** The current platform; null when there is no release for it. */
export function hostTarget(): Target | null {
  const platform = detectPlatform();
  const name = platform ? platformName(platform) : `windows-${process.arch}`;
  return targets.find((target) => target.name === name) ?? null;
}

/** Throws for an unknown name. */
export function targetNamed(name: string): Target {
  const found = targets.find((target) => target.name === name);
  if (found) return found;
  throw new Error(`unknown platform ${name}; known platforms: ${targets.map((target) => target.name).join(", ")}`);
}

export function binaryName({ name, os }: Target): string {
  return `sandbox-agent-${name}${os === "win32" ? ".exe" : ""}`;
}
