/** The releases of an agent's vendor: one file over HTTP, checked against the vendor's checksum where there is one. */
import { chmodSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { download, fetchText, redirectOf } from "./download.ts";
import { installProblem, ownCopy } from "./install-problem.ts";
import type { VendorRecipe } from "./manifest.ts";
import type { Fetch, Source, Wanted } from "./source.ts";
import { unpack } from "./unpack.ts";
import { releasesVariable } from "./variables.ts";

export const vendorSource: Source = {
  offers: ({ vendor }) => vendor !== undefined,

  async latest(wanted) {
    const { vendor, releases } = vendorOf(wanted);
    if (vendor.latest === "fixed") return wanted.recipe.version ?? "";
    const url = `${releases}/${vendor.latestName ?? "latest"}`;
    const answer = await attempt(wanted, () => (vendor.latest === "text" ? fetchText(url) : redirectOf(url)));
    const version = /\d+\.\d+\.\d+[\w.+-]*$/.exec(answer.trim())?.[0];
    if (version) return version;
    throw installProblem(wanted.agent, `${url} does not tell the newest version; name one`, answer.slice(0, 1000));
  },

  async fetch(fetch) {
    const { vendor, releases } = vendorOf(fetch);
    const { version, platform, folder, report } = fetch;
    if (vendor.latest === "fixed" && version !== fetch.recipe.version) throw onlyVersion(fetch);
    const asset = vendor.asset(version, platform);
    const url = `${releases}/${asset}`;
    const file = join(folder, vendor.kind === "program" ? vendor.executable : fileName(asset));
    const expected = await attempt(fetch, () => expectedChecksum(fetch, vendor, releases, asset));
    mkdirSync(dirname(file), { recursive: true });
    report("downloading", url, 0);
    const actual = await attempt(fetch, () => download(url, file, (part) => report("downloading", url, part)));
    if (expected !== null && expected.toLowerCase() !== actual) throw wrongChecksum(fetch, url, expected, actual);
    if (vendor.kind === "archive") {
      report("unpacking", fileName(asset));
      await unpack(fetch, file);
      rmSync(file, { force: true });
    }
    const program = join(folder, vendor.executable);
    if (existsSync(program)) chmodSync(program, 0o755);
  },

  executable: ({ vendor }) => vendor?.executable ?? null,
};

function fileName(asset: string): string {
  return basename(asset.replace(/\?.*/, ""));
}

function vendorOf({ agent, recipe, env }: Wanted): { vendor: VendorRecipe; releases: string } {
  const { vendor } = recipe;
  if (!vendor) throw new Error("the recipe has no vendor");
  return { vendor, releases: (env[releasesVariable(agent)] || vendor.releasesUrl).replace(/\/+$/, "") };
}

async function expectedChecksum(
  { agent, version, platform }: Fetch,
  { checksums, sha256 }: VendorRecipe,
  releases: string,
  asset: string,
): Promise<string | null> {
  if (!checksums) return sha256 ?? null;
  const url = `${releases}/${checksums.file(version)}`;
  const checksum = checksums.read(await fetchText(url), asset, platform);
  if (checksum) return checksum;
  throw installProblem(agent, `${url} has no checksum of ${asset}; choose another version, ${ownCopy(agent)}`);
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

function onlyVersion({ agent, recipe, version }: Fetch) {
  return installProblem(agent, `${agent} ${version} cannot be downloaded, only ${recipe.version}; ask for that one`);
}

function wrongChecksum({ agent }: Wanted, url: string, expected: string, actual: string) {
  return installProblem(
    agent,
    `${url} has a wrong checksum (SHA-256 ${actual} instead of ${expected}) and was thrown away; try again, and beware of the mirror or proxy it came through`,
  );
}
