/**
 * The releases of an agent's vendor: one file over HTTP, verified with a checksum. Without a checksum the installation fails,
 * unless unverified downloads are allowed.
 */
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type DownloadRules, download, fetchText, redirectOf } from "./download.ts";
import { installProblem, ownCopy, unverifiedProblem } from "./install-problem.ts";
import type { VendorRecipe } from "./manifest.ts";
import { allowHint } from "./secure-fetch.ts";
import type { Fetch, Source, Wanted } from "./source.ts";
import { unpack } from "./unpack.ts";
import { allowsUnverified, releasesVariable } from "./variables.ts";

export const vendorSource: Source = {
  offers: ({ vendor }) => vendor !== undefined,

  async latest(wanted) {
    const { vendor, releases } = vendorOf(wanted);
    if (vendor.latest === "fixed") return wanted.recipe.version ?? "";
    const url = `${releases}/${vendor.latestName ?? "latest"}`;
    const answer = await attempt(wanted, () =>
      (vendor.latest === "text" ? fetchText : redirectOf)(url, rulesIn(wanted)),
    );
    const version = /\d+\.\d+\.\d+[\w.+-]*$/.exec(answer.trim())?.[0];
    if (version) return version;
    throw installProblem(
      wanted.agent,
      `${url} does not contain the newest version; pass a version`,
      answer.slice(0, 1000),
    );
  },

  async fetch(fetch) {
    const { vendor, releases } = vendorOf(fetch);
    const { version, platform, folder, report } = fetch;
    if (vendor.latest === "fixed" && version !== fetch.recipe.version) throw onlyVersion(fetch);
    const asset = vendor.asset(version, platform);
    const url = `${releases}/${asset}`;
    const file = join(folder, vendor.kind === "program" ? vendor.executable : fileName(asset));
    const expected = await attempt(fetch, () => expectedChecksum(fetch, vendor, releases, asset));
    if (expected === null && !allowsUnverified(fetch.env)) throw unverified(fetch, url);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    report("downloading", url, 0);
    const onPart = (part: number) => report("downloading", url, part);
    const actual = await attempt(fetch, () => download(url, file, rulesIn(fetch), onPart));
    if (expected !== null && expected.toLowerCase() !== actual) throw wrongChecksum(fetch, url, expected, actual);
    if (vendor.kind === "archive") {
      report("unpacking", fileName(asset));
      await unpack(fetch, file);
      rmSync(file, { force: true });
    }
    const program = join(folder, vendor.executable);
    if (!existsSync(program)) return;
    if (!realpathSync(program).startsWith(`${realpathSync(folder)}/`)) throw outside(fetch, url);
    chmodSync(program, 0o755);
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

function rulesIn({ env }: Wanted): DownloadRules {
  return { allowPlain: allowsUnverified(env) };
}

async function expectedChecksum(
  fetch: Fetch,
  { checksums, sha256 }: VendorRecipe,
  releases: string,
  asset: string,
): Promise<string | null> {
  if (!checksums) return sha256 ?? null;
  const { agent, version, platform } = fetch;
  const url = `${releases}/${checksums.file(version)}`;
  const checksum = checksums.read(await fetchText(url, rulesIn(fetch)), asset, platform);
  if (checksum) return checksum;
  throw installProblem(agent, `${url} has no checksum of ${asset}; choose another version, ${ownCopy(agent)}`);
}

/** Turns failures of the network and the server into problems. */
async function attempt<Result>({ agent }: Wanted, action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof Error && error.name === "InsecureAddress")
      throw installProblem(agent, `${error.message}; ${ownCopy(agent)}`);
    if (!(error instanceof Error) || error.name !== "DownloadError") throw error;
    throw installProblem(
      agent,
      `${error.message}; check the version and the network, set ${releasesVariable(agent)} to a mirror, ${ownCopy(agent)}`,
    );
  }
}

function onlyVersion({ agent, recipe, version }: Fetch) {
  return installProblem(
    agent,
    `${agent} ${version} is not available for download, only ${recipe.version}; install that version`,
  );
}

function unverified({ agent, recipe }: Wanted, url: string) {
  const way = recipe.pinned ? "add its sha256 to the definition of the agent, or " : "";
  return unverifiedProblem(
    agent,
    `${agent} is not installed: there is no checksum for ${url}, so the download cannot be verified; ${way}${allowHint}, ${ownCopy(agent)}`,
  );
}

function outside({ agent }: Wanted, url: string) {
  return installProblem(agent, `the program in ${url} is a link to a path outside of the archive; ${ownCopy(agent)}`);
}

function wrongChecksum({ agent }: Wanted, url: string, expected: string, actual: string) {
  return installProblem(
    agent,
    `the checksum of ${url} does not match (SHA-256 ${actual} instead of ${expected}), so it was deleted; try again, and check the mirror or proxy it was downloaded through`,
  );
}
