/** The platforms that have an executable, by the names of their files and packages, as npm tells them apart. */
export interface Platform {
  name: string;
  os: NodeJS.Platform;
  cpu: NodeJS.Architecture;
  libc?: "glibc" | "musl";
}

export const platforms: readonly Platform[] = [
  { name: "linux-x64", os: "linux", cpu: "x64", libc: "glibc" },
  { name: "linux-x64-musl", os: "linux", cpu: "x64", libc: "musl" },
  { name: "linux-arm64", os: "linux", cpu: "arm64", libc: "glibc" },
  { name: "linux-arm64-musl", os: "linux", cpu: "arm64", libc: "musl" },
  { name: "darwin-x64", os: "darwin", cpu: "x64" },
  { name: "darwin-arm64", os: "darwin", cpu: "arm64" },
  { name: "windows-x64", os: "win32", cpu: "x64" },
];

export function binaryFile({ name, os }: Platform): string {
  return os === "win32" ? `sandbox-agent-${name}.exe` : `sandbox-agent-${name}`;
}
