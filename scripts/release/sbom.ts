/**
 * The list of what a release is made of, as CycloneDX: npm's own account of the workspace, reduced to what goes into the
 * executable and the packages. (`npm sbom --omit dev` leaves out packages that tools use as well, and knows nothing of the
 * inspector, whose dependencies are all built into it.)
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
/** What it needs becomes part of what is built, so it has development dependencies only. */
const builtWhole = ["inspector"];
const tools = ["@types/react", "@types/react-dom", "@vitejs/plugin-react"];

export async function releaseSbom(): Promise<Sbom> {
  return reduce(Sbom.parse(JSON.parse(await npmSbom())), await releasedPackages());
}

/** Through a file: npm may end before a pipe has taken all of it. */
async function npmSbom(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-agent-sbom-"));
  const output = Bun.file(join(directory, "sbom.json"));
  try {
    const command = ["npm", "sbom", "--sbom-format", "cyclonedx", "--loglevel", "error"];
    const run = Bun.spawn(command, { cwd: root, stdin: "ignore", stdout: output, stderr: "pipe" });
    const words = await new Response(run.stderr).text();
    if ((await run.exited) !== 0) throw new Error(`npm sbom failed:\n${words}`);
    return await output.text();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The workspace packages, each with the names it really uses. */
async function releasedPackages(): Promise<Map<string, Set<string>>> {
  const read = async (folder: string): Promise<Manifest> =>
    Manifest.parse(await Bun.file(join(root, "packages", folder, "package.json")).json());
  const used = ({ name, version, dependencies }: Manifest) =>
    [`${name}@${version}`, new Set(Object.keys(dependencies).filter((each) => !tools.includes(each)))] as const;
  const manifests = await Promise.all(built.map(read));
  const whole = await Promise.all(builtWhole.map(read));
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
