/**
 * A copy of the working tree for mutants, so that the original is never changed. Dependencies are links to the original ones;
 * workspace packages are links inside the copy.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "../..");
/** Built files that tests need. */
const built = ["packages/inspector/dist"];

export function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), "sandbox-agent-mutants-"));
  const listed = Bun.spawnSync(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  for (const file of [...listed.stdout.toString().split("\0"), ...built]) {
    if (!file || !existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file), { recursive: true });
  }
  linkDependencies("node_modules", copy);
  for (const name of readdirSync(join(root, "packages"))) linkDependencies(`packages/${name}/node_modules`, copy);
  return copy;
}

function linkDependencies(folder: string, copy: string): void {
  if (!existsSync(join(root, folder))) return;
  mkdirSync(join(copy, folder), { recursive: true });
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name === "@sandbox-agent") linkDependencies(path, copy);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(join(root, path)), join(copy, path));
    else if (!entry.name.startsWith(".") || entry.name === ".bin") symlinkSync(join(root, path), join(copy, path));
  }
}
