/** The published packages, checked by publint and attw and used by a project that installed them. */
import { cpSync, existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import rootManifest from "../../package.json" with { type: "json" };
import { buildPlatformPackage } from "../../scripts/release/cli-packages.ts";
import { targetNamed } from "../../scripts/release/platforms.ts";
import { temporaryDirectory } from "../harness/daemon.ts";
import { createInstalledProject, type InstalledProject, node, type Packed } from "./installed-project.ts";

const workspace = join(import.meta.dirname, "../..");
const compilers = { current: join(workspace, "node_modules"), older: join(workspace, "packages/sdk/node_modules") };
const packageFiles = ["LICENSE", "README.md", "package.json"];
const sdkFiles = [
  ...packageFiles,
  ...["index", "acp", "embedded/index", "embedded/unavailable"].flatMap((name) => [`${name}.js`, `${name}.js.map`]),
  ...[
    "acp",
    "caller",
    "client",
    "error",
    "index",
    "inspector-url",
    "operation",
    "resume",
    "session-types",
    "sse",
    "transport",
  ],
  ...["embedded/index", "embedded/options", "embedded/platform-package", "embedded/unavailable"],
  ...["generated/api", "generated/methods", "generated/operation-table"],
].map((name) => (/\.|LICENSE/.test(name) ? name : `${name}.d.ts`));

let project: InstalledProject;
beforeAll(async () => {
  vi.stubEnv("GITHUB_SERVER_URL", "https://forge.example");
  vi.stubEnv("GITHUB_REPOSITORY", "somebody/agents");
  project = await createInstalledProject();
  cpSync(join(import.meta.dirname, "programs"), project.directory, { recursive: true });
}, 600_000);
afterAll(() => {
  vi.unstubAllEnvs();
  project.remove();
});

describe("what is published", () => {
  test("is the SDK, the launcher and the executable of each platform, with the same version", () => {
    expect(project.packages.map(({ name, version }) => `${name} ${version}`)).toEqual([
      expect.stringMatching(/^@sandbox-agent\/cli-\w+-\w+ /),
      `@sandbox-agent/cli ${rootManifest.version}`,
      `sandbox-agent ${rootManifest.version}`,
    ]);
    expect(new Set(project.packages.map(({ version }) => version)).size).toBe(1);
  });

  test("has these files and no others", () => {
    const [platform, cli, sdk] = project.packages.map(({ files }) => files.map(({ path }) => path).toSorted());
    expect(sdk).toEqual(sdkFiles.toSorted());
    expect(cli).toEqual([...packageFiles, "bin/sandbox-agent.js"].toSorted());
    expect(platform).toEqual([...packageFiles, "bin/sandbox-agent"].toSorted());
    const programs = project.packages.flatMap(({ files }) => files).filter(({ path }) => path.startsWith("bin/"));
    expect(programs.map(({ mode }) => mode)).toEqual([0o755, 0o755]);
  });

  test("has no publint findings", async () => {
    const messages = await Promise.all(
      project.packages.map(({ directory }) => publint({ pkgDir: directory, pack: false, strict: true })),
    );
    expect(messages.flatMap(({ messages }) => messages)).toEqual([]);
  });

  test("has types for every module resolution (attw)", { timeout: 120_000 }, async () => {
    const attw = join(workspace, "node_modules/@arethetypeswrong/cli/dist/index.js");
    const { tarball } = packed("sandbox-agent");
    const { code, stdout } = await project.run([node, attw, tarball, "--profile", "esm-only", "--format", "json"]);
    expect(JSON.parse(stdout)).toMatchObject({ analysis: { types: { kind: "included" } } });
    expect(code, stdout).toBe(0);
  });

  test("has repository, engine and platform fields, and no workspace dependencies", () => {
    expect(installedManifest("sandbox-agent")).toMatchObject({
      engines: { node: ">=20" },
      license: "Apache-2.0",
      sideEffects: false,
      dependencies: { "eventsource-parser": expect.stringMatching(/^\d/) },
      peerDependencies: { "@sandbox-agent/cli": rootManifest.version },
    });
    const platform = packed("@sandbox-agent/cli-").name;
    expect(installedManifest(platform)).toMatchObject({ os: [process.platform], cpu: [process.arch] });
    const { dependencies, optionalDependencies } = installedManifest("@sandbox-agent/cli");
    expect({ dependencies, optionalDependencies }).toEqual({
      optionalDependencies: { [platform]: rootManifest.version },
    });
    for (const { name } of project.packages) {
      const manifest = installedManifest(name);
      expect(manifest.repository).toEqual({ type: "git", url: "git+https://forge.example/somebody/agents.git" });
      for (const field of ["private", "scripts", "devDependencies", "publishConfig"]) {
        expect(manifest, name).not.toHaveProperty(field);
      }
    }
  });

  test.each([
    ["linux-x64", "linux", "x64", "glibc"],
    ["linux-x64-musl", "linux", "x64", "musl"],
    ["linux-arm64", "linux", "arm64", "glibc"],
    ["linux-arm64-musl", "linux", "arm64", "musl"],
    ["darwin-x64", "darwin", "x64", undefined],
    ["darwin-arm64", "darwin", "arm64", undefined],
    ["windows-x64", "win32", "x64", undefined],
  ])("has a package for %s that npm installs only there", (name, os, cpu, libc) => {
    const directory = temporaryDirectory();
    const binary = join(directory, "binary");
    writeFileSync(binary, "program");
    buildPlatformPackage(directory, targetNamed(name), binary);
    const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
    expect(manifest).toMatchObject({ name: `@sandbox-agent/cli-${name}`, os: [os], cpu: [cpu] });
    expect(manifest.libc).toEqual(libc && [libc]);
    const executable = os === "win32" ? "sandbox-agent.exe" : "sandbox-agent";
    expect(readFileSync(join(directory, "bin", executable), "utf8")).toBe("program");
  });

  test("cannot be published from the sources by mistake", () => {
    for (const name of ["agents", "cli", "daemon", "inspector", "schema", "sdk"]) {
      const manifest = JSON.parse(readFileSync(join(workspace, "packages", name, "package.json"), "utf8"));
      expect(manifest).toMatchObject({ private: true, version: rootManifest.version });
    }
  });
});

describe("the installed SDK", () => {
  test.each([
    ["Node", node],
    ["Bun", process.execPath],
  ])("runs in %s with the daemon of the installed executable", { timeout: 120_000 }, async (_, runtime) => {
    // With an empty PATH, neither another sandbox-agent nor the launcher can run.
    const { stdout, stderr } = await project.run([runtime, "embedded.js"], { PATH: "", SANDBOX_AGENT_BIN: "" });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({
      text: "from the package",
      version: rootManifest.version,
      failure: "session_not_found",
      turns: 1,
    });
  });

  test.each<[string, keyof typeof compilers]>([
    ["nodenext", "current"],
    ["bundler", "current"],
    ["nodenext", "older"],
  ])(
    "has types for strict projects that resolve as %s, with the %s compiler",
    { timeout: 120_000 },
    async (kind, age) => {
      const compilerOptions = {
        target: "ESNext",
        module: kind === "bundler" ? "ESNext" : "NodeNext",
        moduleResolution: kind,
        lib: ["ESNext", "DOM", "DOM.AsyncIterable"],
        types: [],
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        // Check the declarations with one compiler only; the older one is slow with those of the DOM.
        skipLibCheck: age === "older",
        noEmit: true,
      };
      writeFileSync(join(project.directory, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["types.ts"] }));
      const { stdout, code } = await project.run([node, join(compilers[age], "typescript/bin/tsc"), "-p", "."]);
      expect({ stdout, code }).toEqual({ stdout: "", code: 0 });
    },
  );

  test("is bundled for browsers without Node modules", async () => {
    const entry = join(project.directory, "browser.js");
    writeFileSync(entry, 'import { SandboxAgent } from "sandbox-agent";\nglobalThis.client = SandboxAgent;\n');
    const { outputs } = await Bun.build({ entrypoints: [entry], target: "browser" });
    const text = (await Promise.all(outputs.map((output) => output.text()))).join("\n");
    expect(text).toContain("an embedded daemon needs Node, Bun or Deno");
    expect(text).not.toMatch(/["'](node:|child_process|zod)/);
  });

  test("has source maps with the sources", () => {
    const root = join(project.directory, "node_modules/sandbox-agent");
    const scripts = sdkFiles.filter((file) => file.endsWith(".js"));
    const sources = scripts.flatMap((file) => {
      const [, map = ""] = readFileSync(join(root, file), "utf8").match(/\n\/\/# sourceMappingURL=(\S+)\s*$/) ?? [];
      const path = join(root, dirname(file), map);
      const { sources, sourcesContent } = JSON.parse(readFileSync(path, "utf8"));
      return sources.map((source: string, index: number) => ({
        text: sourcesContent[index],
        original: join(workspace, join(dirname(file), source)),
      }));
    });
    expect(sources.length).toBeGreaterThan(scripts.length);
    for (const { text, original } of sources) expect(text, original).toBe(readFileSync(original, "utf8"));
  });

  test("has stack traces that point to its sources", async () => {
    writeFileSync(
      join(project.directory, "failing.js"),
      'import { SandboxAgent } from "sandbox-agent";\nawait SandboxAgent.start({ spawn: false });\n',
    );
    const { stderr } = await project.run([node, "--enable-source-maps", "failing.js"]);
    const [, file = "", line = ""] = stderr.match(/sandbox-agent\/(\S+client\.ts):(\d+):\d+/) ?? [];
    const lines = readFileSync(join(workspace, file), "utf8").split("\n");
    expect(lines[Number(line) - 1]).toContain("start() starts a daemon");
  });
});

describe("the installed command", () => {
  test("runs with npx", { timeout: 60_000 }, async () => {
    const npx = join(dirname(node), "npx");
    const { stdout, code } = await project.run([npx, "--offline", "sandbox-agent", "--help"]);
    expect(stdout).toContain("Usage: sandbox-agent");
    expect(code).toBe(0);
  });

  test("passes arguments, output and exit code through", { timeout: 60_000 }, async () => {
    expect(await launch("--version")).toEqual({ code: 0, stdout: `${rootManifest.version}\n`, stderr: "" });
    expect(await launch("bogus")).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("bogus") });
  });

  test("forwards SIGTERM to a server, and exits after it", { timeout: 60_000 }, async () => {
    const server = Bun.spawn([node, launcher(), "server", "--port", "0", "--ephemeral"], {
      stdin: "ignore",
      stdout: "pipe",
    });
    let printed = "";
    let url: string | undefined;
    // The output ends when the daemon exits, because it holds the pipe open.
    for await (const chunk of server.stdout.pipeThrough(new TextDecoderStream())) {
      printed += chunk;
      if (url !== undefined) continue;
      url = printed.match(/listening on (http\S+)\n/)?.[1];
      if (url !== undefined) server.kill("SIGTERM");
    }
    expect(await server.exited).toBe(0);
    expect(server.signalCode).toBeNull();
    await expect(fetch(`${url}/v1/health`)).rejects.toThrow();
  });

  test("prints what to do when no package matches the platform", async () => {
    const alone = join(packed("@sandbox-agent/cli").directory, "bin/sandbox-agent.js");
    const { code, stdout, stderr } = await project.run([node, alone, "--version"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("npm install --include=optional @sandbox-agent/cli");
  });
});

function launcher(): string {
  const link = join(project.directory, "node_modules/.bin/sandbox-agent");
  expect(existsSync(link)).toBe(true);
  return realpathSync(link);
}

function launch(...args: string[]) {
  return project.run([node, launcher(), ...args]);
}

/** The package with this name, or whose name starts with it. */
function packed(name: string): Packed {
  const { packages } = project;
  const found = packages.find((one) => one.name === name) ?? packages.find((one) => one.name.startsWith(name));
  if (!found) throw new Error(`${name} was not built`);
  return found;
}

function installedManifest(name: string) {
  return JSON.parse(readFileSync(join(project.directory, "node_modules", name, "package.json"), "utf8"));
}
