/** The manifest of a published package: the workspace manifest without development fields. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const workspace = join(import.meta.dirname, "../..");

interface WorkspaceManifest {
  private: boolean;
  scripts?: object;
  devDependencies?: object;
}

/** Workspace packages are private, so that sources are not published by mistake. */
export function publishedManifest<M extends WorkspaceManifest>(manifest: M) {
  const { private: _, scripts, devDependencies, ...published } = manifest;
  return published;
}

/** Writes the files that every package has: manifest, README and license. */
export function writePackageFiles(directory: string, manifest: object, readme: string): void {
  mkdirSync(directory, { recursive: true });
  const complete = { ...manifest, repository: repository() };
  writeFileSync(join(directory, "package.json"), `${JSON.stringify(complete, null, 2)}\n`);
  writeFileSync(join(directory, "README.md"), readme);
  cpSync(join(workspace, "LICENSE"), join(directory, "LICENSE"));
}

/** The repository URL from the CI environment. npm provenance compares it with the origin of the build. */
function repository(): object | undefined {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY) return undefined;
  return { type: "git", url: `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git` };
}
