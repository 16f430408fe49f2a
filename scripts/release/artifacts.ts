/**
 * `npm run release:artifacts -- --download-url URL [--target linux-x64]`: everything a release consists of, in dist/release.
 * The executables of all platforms (or those named), npm packages, install.sh, a bill of materials, checksums; and the notes
 * of the release beside them, in dist/release-notes.md. The release workflow publishes what lies there, and nothing else.
 */
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import workspace from "../../package.json" with { type: "json" };
import { binariesDirectory, buildBinary } from "./binary.ts";
import { changesOf } from "./changelog.ts";
import { writeChecksums } from "./checksums.ts";
import { installerFor } from "./installer.ts";
import { targetNamed, targets } from "./platforms.ts";
import { releaseSbom } from "./sbom.ts";

const root = join(import.meta.dirname, "../..");
const packages = join(root, "dist/npm");
const release = join(root, "dist/release");

const { values } = parseArgs({
  options: { target: { type: "string", multiple: true, default: [] }, "download-url": { type: "string" } },
});
const downloadUrl = values["download-url"];
if (!downloadUrl) throw new Error("name the place the files will be downloaded from with --download-url");
const installer = installerFor(downloadUrl);
const chosen = values.target.length > 0 ? values.target.map(targetNamed) : targets;

for (const directory of [binariesDirectory, packages, release]) rmSync(directory, { recursive: true, force: true });
mkdirSync(release, { recursive: true });

for (const target of chosen) {
  const path = await buildBinary(target);
  copyFileSync(path, join(release, basename(path)));
}
await packPackages();
writeFileSync(join(release, "install.sh"), installer);
chmodSync(join(release, "install.sh"), 0o755);
writeFileSync(join(release, "sandbox-agent.cdx.json"), `${JSON.stringify(await releaseSbom(), null, 2)}\n`);
await writeChecksums(release);
writeFileSync(join(root, "dist/release-notes.md"), notes());
console.log(readFileSync(join(release, "SHA256SUMS"), "utf8"));

/** As tarballs, which are what is published: what the checksums say is what everybody gets. */
async function packPackages(): Promise<void> {
  await Bun.$`npm run --silent build:packages`.cwd(root);
  for (const name of readdirSync(packages))
    await Bun.$`npm pack --silent --pack-destination ${release} ${join(packages, name)}`.cwd(root);
}

function notes(): string {
  const text = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  return `${changesOf(text, workspace.version) ?? `CHANGELOG.md has no section for ${workspace.version}.`}\n`;
}
