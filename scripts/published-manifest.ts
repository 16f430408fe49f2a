/** The manifest of a published package: that of the workspace, without what matters only here. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const workspace = join(import.meta.dirname, "..");

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
  writeFileSync(join(directory, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(directory, "README.md"), readme);
  cpSync(join(workspace, "LICENSE"), join(directory, "LICENSE"));
}
