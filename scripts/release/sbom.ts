/**
 * The bill of materials of a release (CycloneDX): the output of `npm sbom` for the workspace, reduced to the contents of the
 * executable and the packages. (`npm sbom --omit dev` also omits packages that are used by tools as well, and the dependencies of
 * the inspector, which are bundled.)
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";

const root = join(import.meta.dirname, "../..");

const Component = z.looseObject({ "bom-ref": z.string(), name: z.string(), version: z.string(), purl: z.string() });
export type Component = z.infer<typeof Component>;

const Sbom = z.looseObject({
  bomFormat: z.literal("CycloneDX"),
  metadata: z.looseObject({ component: Component }),
  components: z.array(Component),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});
export type Sbom = z.infer<typeof Sbom>;

const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
});
type Manifest = z.infer<typeof Manifest>;

const built = ["schema", "agents", "daemon", "sdk", "cli"];
/** Bundled, so all its dependencies are development dependencies. */
const bundled = ["inspector"];
const tools = ["@types/react", "@types/react-dom", "@vitejs/plugin-react"];

export async function releaseSbom(): Promise<Sbom> {
  return reduce(Sbom.parse(JSON.parse(await npmSbom())), await releasedPackages());
}

/** Written to a file, because npm may exit before a pipe is drained. */
async function npmSbom(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-sbom-"));
  const output = Bun.file(join(directory, "sbom.json"));
  try {
    const command = ["npm", "sbom", "--sbom-format", "cyclonedx", "--loglevel", "error"];
    const run = Bun.spawn(command, { cwd: root, stdin: "ignore", stdout: output, stderr: "pipe" });
    const stderr = await new Response(run.stderr).text();
    if ((await run.exited) !== 0) throw new Error(`npm sbom failed:\n${stderr}`);
    return await output.text();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The released workspace packages with their dependencies. */
async function releasedPackages(): Promise<Map<string, Set<string>>> {
  const read = async (folder: string): Promise<Manifest> =>
    Manifest.parse(await Bun.file(join(root, "packages", folder, "package.json")).json());
  const used = ({ name, version, dependencies }: Manifest) =>
    [`${name}@${version}`, new Set(Object.keys(dependencies).filter((each) => !tools.includes(each)))] as const;
  const manifests = await Promise.all(built.map(read));
  const whole = await Promise.all(bundled.map(read));
  return new Map([
    ...manifests.map(used),
    ...whole.map((each) => used({ ...each, dependencies: { ...each.dependencies, ...each.devDependencies } })),
  ]);
}

function reduce(sbom: Sbom, released: Map<string, Set<string>>): Sbom {
  const edges = new Map(sbom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const nameOf = (ref: string) => ref.slice(0, ref.lastIndexOf("@"));
  const follow = (ref: string) => {
    const names = released.get(ref);
    return (edges.get(ref) ?? []).filter((each) => names?.has(nameOf(each)) ?? true);
  };
  const kept = new Set(released.keys());
  for (const ref of kept) for (const each of follow(ref)) kept.add(each);

  const { component } = sbom.metadata;
  const { name: folder, properties, ...self } = component;
  return {
    ...sbom,
    metadata: { ...sbom.metadata, component: { ...self, name: "sandbox-agent" } },
    components: sbom.components
      .filter((each) => kept.has(each["bom-ref"]))
      // npm names packages of the workspace after their folders.
      .map((each) => ({ ...each, name: nameOf(each["bom-ref"]) })),
    dependencies: [
      { ref: component["bom-ref"], dependsOn: [...released.keys()] },
      ...[...kept].map((ref) => ({ ref, dependsOn: follow(ref).filter((each) => kept.has(each)) })),
    ],
  };
}
