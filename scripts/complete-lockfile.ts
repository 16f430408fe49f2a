/**
 * Completes package-lock.json with the optional packages of other platforms. npm omits those that it did not download when it wrote
 * the file, and `npm ci` then fails, on this or another platform. Run `npm run lockfile` after every change of dependencies.
 */
import { readFileSync, writeFileSync } from "node:fs";

interface LockEntry {
  version?: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

interface Lockfile {
  packages: Record<string, LockEntry>;
}

const systems: Record<string, string> = {
  android: "android",
  darwin: "darwin",
  freebsd: "freebsd",
  linux: "linux",
  netbsd: "netbsd",
  openbsd: "openbsd",
  openharmony: "openharmony",
  sunos: "sunos",
  aix: "aix",
  win32: "win32",
  windows: "win32",
};

const processors: Record<string, string> = {
  aarch64: "arm64",
  arm: "arm",
  arm64: "arm64",
  ia32: "ia32",
  loong64: "loong64",
  ppc64: "ppc64",
  riscv64: "riscv64",
  s390x: "s390x",
  wasm32: "wasm32",
  x64: "x64",
};

const libraries: Record<string, string> = { gnu: "glibc", gnueabihf: "glibc", musl: "musl" };

const path = "package-lock.json";
const lockfile: Lockfile = JSON.parse(readFileSync(path, "utf8"));
const missing = Object.values(lockfile.packages)
  .flatMap(({ optionalDependencies = {} }) => Object.entries(optionalDependencies))
  .filter(([name]) => !lockfile.packages[`node_modules/${name}`]);

for (const [name, version] of missing) {
  lockfile.packages[`node_modules/${name}`] = { version, ...platformOf(name), optional: true };
}
const sorted = Object.entries(lockfile.packages).toSorted(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(path, `${JSON.stringify({ ...lockfile, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
console.log(`added ${missing.length} packages of other platforms`);

/** The names of these packages contain their platform: `…-linux-arm64-musl`. */
function platformOf(name: string): Pick<LockEntry, "os" | "cpu" | "libc"> {
  const words = name.split(/[-/]/);
  const find = (known: Record<string, string>) => {
    const word = words.find((candidate) => candidate in known);
    return word && known[word] ? [known[word]] : undefined;
  };
  const os = find(systems);
  const cpu = find(processors);
  const libc = find(libraries);
  if (!os && !cpu) throw new Error(`cannot detect the platform of ${name} from its name`);
  return { ...(cpu && { cpu }), ...(libc && { libc }), ...(os && { os }) };
}
