/** The releases of an agent's vendor: one file over HTTP, checked against the vendor's checksum where there is one. */
import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { download, fetchText, redirectOf } from "./download.ts";
import { installProblem, ownCopy } from "./install-problem.ts";
import type { VendorRecipe } from "./manifest.ts";
import { runProgram } from "./run-program.ts";
import type { Fetch, Source, Wanted } from "./source.ts";
import { releasesVariable } from "./variables.ts";

const unpackLimitMs = 10 * 60_000;

export const vendorSource: Source = {
  async latest(wanted) {
    const { vendor, releases } = vendorOf(wanted);
    const url = `${releases}/${vendor.latestName ?? "latest"}`;
    const answer = await attempt(wanted, () => (vendor.latest === "text" ? fetchText(url) : redirectOf(url)));
    const version = /\d+\.\d+\.\d+[\w.+-]*$/.exec(answer.trim())?.[0];
    if (version) return version;
    throw installProblem(wanted.agent, `${url} does not tell the newest version; name one`, answer.slice(0, 1000));
  },

  async fetch(fetch) {
    const { vendor, releases } = vendorOf(fetch);
    const { version, platform, folder, report } = fetch;
    const asset = vendor.asset(version, platform);
    const url = `${releases}/${asset}`;
    const file = join(folder, vendor.kind === "program" ? vendor.executable : asset.slice(asset.lastIndexOf("/") + 1));
    const expected = await attempt(fetch, () => expectedChecksum(fetch, vendor, releases, asset));
    report("downloading", url, 0);
    const actual = await attempt(fetch, () => download(url, file, (part) => report("downloading", url, part)));
    if (expected !== null && expected.toLowerCase() !== actual) throw wrongChecksum(fetch, url, expected, actual);
    if (vendor.kind === "archive") await unpack(fetch, file);
    else chmodSync(file, 0o755);
  },

  executable: ({ vendor }) => vendor?.executable ?? null,
};

function vendorOf({ agent, recipe, env }: Wanted): { vendor: VendorRecipe; releases: string } {
  const { vendor } = recipe;
  if (!vendor) throw installProblem(agent, `the vendor of ${agent} offers no download; use the npm registry`);
  return { vendor, releases: (env[releasesVariable(agent)] || vendor.releasesUrl).replace(/\/+$/, "") };
}

async function expectedChecksum(
  { agent, version, platform }: Fetch,
  { checksums }: VendorRecipe,
  releases: string,
  asset: string,
): Promise<string | null> {
  if (!checksums) return null;
  const url = `${releases}/${checksums.file(version)}`;
  const checksum = checksums.read(await fetchText(url), asset, platform);
  if (checksum) return checksum;
  throw installProblem(agent, `${url} has no checksum of ${asset}; choose another version, ${ownCopy(agent)}`);
}

async function unpack({ agent, folder, env, report }: Fetch, archive: string): Promise<void> {
  report("unpacking", archive.slice(archive.lastIndexOf("/") + 1));
  const run = await runProgram(["tar", "-xf", archive, "-C", folder], { env, limitMs: unpackLimitMs });
  rmSync(archive, { force: true });
  if (run.failure === null) return;
  // The disk may be full; who catches this can tell by the text.
  throw new Error(`the archive of ${agent} could not be unpacked: tar ${run.failure}: ${run.stderr.trim()}`);
}

/** Failures of the network and of the server, as problems. */
async function attempt<Result>({ agent }: Wanted, action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "DownloadError") throw error;
    throw installProblem(
      agent,
      `${error.message}; check the version and the network, set ${releasesVariable(agent)} to a mirror, ${ownCopy(agent)}`,
    );
  }
}

function wrongChecksum({ agent }: Wanted, url: string, expected: string, actual: string) {
  return installProblem(
    agent,
    `${url} has a wrong checksum (SHA-256 ${actual} instead of ${expected}) and was thrown away; try again, and beware of the mirror or proxy it came through`,
  );
}
