/** The manifest of a published package: that of the workspace, without what matters only here. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const workspace = join(import.meta.dirname, "../..");

interface WorkspaceManifest {
  private: boolean;
  scripts?: object;
  devDependencies?: object;
}

/** In the workspace every package is private, so that its sources are not published by mistake. */
export function publishedManifest<M extends WorkspaceManifest>(manifest: M) {
  const { private: _, scripts, devDependencies, ...published } = manifest;
  return published;
}

/** What every package has besides its program. */
export function writePackageFiles(directory: string, manifest: object, readme: string): void {
  mkdirSync(directory, { recursive: true });
  const complete = { ...manifest, repository: repository() };
  writeFileSync(join(directory, "package.json"), `${JSON.stringify(complete, null, 2)}\n`);
  writeFileSync(join(directory, "README.md"), readme);
  cpSync(join(workspace, "LICENSE"), join(directory, "LICENSE"));
}

/** Where the project lives, as the forge says that builds a release: npm's proof of origin compares the two. */
function repository(): object | undefined {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY) return undefined;
  return { type: "git", url: `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git` };
}
