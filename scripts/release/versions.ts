/** Reads and sets the version of all packages. They all have the same version. */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Links = Record<string, string>;

/** A manifest, or its entry in the lockfile. */
interface Package {
  version: string;
  dependencies?: Links;
  devDependencies?: Links;
  peerDependencies?: Links;
  optionalDependencies?: Links;
}

interface Lockfile {
  version: string;
  packages: Record<string, Package>;
}

const linkFields = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] as const;
const isOurs = (name: string) => name === "sandbox-agent" || name.startsWith("@sandbox-agent/");

/** Every version of our packages in the manifests, by location. */
export function versionsIn(root: string): Map<string, string> {
  const versions = new Map<string, string>();
  for (const path of manifests(root)) {
    const manifest: Package = readJson(join(root, path));
    versions.set(path, manifest.version);
    for (const field of linkFields)
      for (const [name, version] of Object.entries(manifest[field] ?? {}))
        if (isOurs(name)) versions.set(`${path} ${field} ${name}`, version);
  }
  return versions;
}

/** Changes nothing else in the files; the order of fields is kept. */
export function setVersions(root: string, version: string): void {
  for (const path of manifests(root)) {
    const manifest: Package = readJson(join(root, path));
    setVersion(manifest, version);
    writeJson(join(root, path), manifest);
  }
  const path = join(root, "package-lock.json");
  const lockfile: Lockfile = readJson(path);
  lockfile.version = version;
  for (const [place, entry] of Object.entries(lockfile.packages))
    if (place === "" || /^packages\/[^/]+$/.test(place)) setVersion(entry, version);
  writeJson(path, lockfile);
}

function manifests(root: string): string[] {
  return ["package.json", ...globSync("packages/*/package.json", { cwd: root }).toSorted()];
}

function setVersion(entry: Package, version: string): void {
  entry.version = version;
  for (const field of linkFields) {
    const links = entry[field] ?? {};
    for (const name of Object.keys(links)) if (isOurs(name)) links[name] = version;
  }
}

function readJson(path: string) {
  return JSON.parse(readFileSync(path, "utf8"));
}

function writeJson(path: string, value: Package | Lockfile): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
