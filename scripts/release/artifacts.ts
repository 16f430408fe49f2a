/**
 * `npm run release:artifacts -- --download-url URL [--target linux-x64]`: builds all files of a release in dist/release: executables
 * of all platforms (or those named), npm packages, install.sh, a bill of materials and checksums. The release notes are written to
 * dist/release-notes.md. The release workflow publishes exactly these files.
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
if (!downloadUrl) throw new Error("--download-url is required: the URL that the files will be downloaded from");
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

/** As tarballs, which are published unchanged, so that the checksums apply to them. */
async function packPackages(): Promise<void> {
  await Bun.$`npm run --silent build:packages`.cwd(root);
  for (const name of readdirSync(packages))
    await Bun.$`npm pack --silent --pack-destination ${release} ${join(packages, name)}`.cwd(root);
}

function notes(): string {
  const text = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  return `${changesOf(text, workspace.version) ?? `CHANGELOG.md has no section for ${workspace.version}.`}\n`;
}
