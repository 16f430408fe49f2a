/** The manifest of a published package: that of the workspace, without what matters only here. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
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

/** What every package has besides its program. Where the project lives is said once, in the manifest of the workspace. */
export function writePackageFiles(directory: string, manifest: object, readme: string): void {
  const { repository } = JSON.parse(readFileSync(join(workspace, "package.json"), "utf8"));
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "package.json"), `${JSON.stringify({ ...manifest, repository }, null, 2)}\n`);
  writeFileSync(join(directory, "README.md"), readme);
  cpSync(join(workspace, "LICENSE"), join(directory, "LICENSE"));
}
