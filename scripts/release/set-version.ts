/**
 * `npm run version -- 1.2.3`: sets the version of every package, and moves the Unreleased changes of CHANGELOG.md to it. Review and
 * commit the result, tag the commit `v1.2.3` and push the tag; the release workflow does the rest.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import workspace from "../../package.json" with { type: "json" };
import { releaseChanges } from "./changelog.ts";
import { setVersions } from "./versions.ts";

const root = join(import.meta.dirname, "../..");
const [version = ""] = process.argv.slice(2);

if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) fail("usage: npm run version -- 1.2.3");
if (Bun.semver.order(version, workspace.version) <= 0)
  fail(`${version} must be greater than the current version ${workspace.version}`);

const changelog = join(root, "CHANGELOG.md");
const today = new Date().toISOString().slice(0, 10);
const released = releaseChanges(readFileSync(changelog, "utf8"), version, today);
setVersions(root, version);
writeFileSync(changelog, released);
console.log(`Set all versions to ${version}. Commit, tag the commit v${version}, and push both.`);

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
