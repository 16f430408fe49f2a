/** Where agents are found, and what happens when they are not. */
import { chmodSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { problemOf } from "../../test/problem.ts";
import { program } from "../../test/releases.ts";
import { temporaryFolder } from "../../test/temporary.ts";
import { createInstaller } from "./create-installer.ts";
import type { Manifest } from "./manifest.ts";

function put(folder: string, name: string, content: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, 0o755);
  return path;
}

function arrange(variables: Record<string, string> = {}, manifest?: Manifest) {
  const directory = temporaryFolder();
  const onPath = temporaryFolder();
  // Nothing can be fetched from anywhere.
  const env = { PATH: onPath, SANDBOX_AGENT_INSTALL_SOURCE: "path", ...variables };
  const installer = createInstaller({ directory, env, manifest });
  const putOwn = (version: string) => put(join(directory, "claude", version), "claude", program(version));
  const setCurrent = (version: string) => writeFileSync(join(directory, "claude", "current"), `${version}\n`);
  return { directory, onPath, installer, putOwn, setCurrent };
}

describe("an agent is found", () => {
  test("nowhere", async () => {
    expect(await arrange().installer.find("claude")).toBeNull();
  });

  test("on PATH, with the version it reports", async () => {
    const { onPath, installer } = arrange();
    const path = put(onPath, "claude", program("1.2.3"));
    expect(await installer.find("claude")).toEqual({ agent: "claude", version: "1.2.3", path, command: [path] });
    expect(await installer.install("claude")).toMatchObject({ path });
  });

  test("in our own directory before PATH: the current version, or the pinned one", async () => {
    const { onPath, installer, putOwn, setCurrent } = arrange();
    put(onPath, "claude", program("1.2.3"));
    putOwn("2.1.197");
    expect(await installer.find("claude")).toMatchObject({ version: "2.1.197" });
    putOwn("3.0.0");
    setCurrent("3.0.0");
    expect(await installer.find("claude")).toMatchObject({ version: "3.0.0" });
  });

  test("as a plain program in our own directory", async () => {
    const { directory, installer } = arrange();
    const path = put(directory, "claude", program("1.0.0"));
    expect(await installer.find("claude")).toMatchObject({ path, version: "1.0.0" });
  });

  test("at the path of its variable, before everything else", async () => {
    const named = put(temporaryFolder(), "my-claude", program("9.0.0"));
    const { installer, putOwn } = arrange({ SANDBOX_AGENT_CLAUDE_PATH: named });
    putOwn("2.1.197");
    expect(await installer.find("claude")).toMatchObject({ path: named, version: "9.0.0" });
  });

  test("by version, wherever that is", async () => {
    const named = put(temporaryFolder(), "my-claude", program("9.0.0"));
    const { installer, putOwn, onPath } = arrange({ SANDBOX_AGENT_CLAUDE_PATH: named });
    const own = putOwn("2.1.197");
    const path = put(onPath, "claude", program("1.2.3"));
    expect(await installer.find("claude", "9.0.0")).toMatchObject({ path: named });
    expect(await installer.find("claude", "2.1.197")).toMatchObject({ path: own });
    expect(await installer.find("claude", "1.2.3")).toMatchObject({ path });
    expect(await installer.find("claude", "4.0.0")).toBeNull();
  });

  test("even if it does not report its version", async () => {
    const { onPath, installer } = arrange();
    put(onPath, "claude", "#!/bin/sh\nexit 1\n");
    expect(await installer.find("claude")).toMatchObject({ version: null });
  });

  test("with its new version when the file has changed, and run only then", async () => {
    const { onPath, installer } = arrange();
    const log = join(onPath, "asked");
    const path = put(onPath, "claude", `#!/bin/sh\necho x >> ${log}\necho 1.0.0\n`);
    await installer.find("claude");
    await installer.find("claude");
    expect(await Bun.file(log).text()).toBe("x\n");
    put(onPath, "claude", program("2.0.0"));
    utimesSync(path, new Date(), new Date(Date.now() + 5000));
    expect(await installer.find("claude")).toMatchObject({ version: "2.0.0" });
  });

  test("with the version it reports for another flag", async () => {
    const { onPath, installer } = arrange();
    put(onPath, "claude", '#!/bin/sh\n[ "$1" = version ] && echo "v5.4.3" || exit 2\n');
    expect(await installer.find("claude")).toMatchObject({ version: "5.4.3" });
  });
});

describe("an agent in JavaScript", () => {
  const script: Manifest = {
    claude: {
      program: "claude",
      version: "1.0.0",
      runtime: "bun",
      npm: { package: () => "claude-script", executable: () => "cli.js" },
    },
  };

  test("runs on the runtime inside our own executable", async () => {
    const { directory, installer } = arrange({}, script);
    const folder = join(directory, "claude", "1.0.0", "node_modules", "claude-script");
    const path = put(folder, "cli.js", 'console.log("1.0.0", process.argv.slice(2).join(" "))');
    const found = await installer.find("claude");
    expect(found?.path).toBe(path);
    expect([found?.command[0], found?.command.at(-1)]).toEqual([process.execPath, path]);
    const run = Bun.spawnSync([...(found?.command ?? []), "hello"], { env: { ...found?.env } });
    expect(run.stdout.toString()).toBe("1.0.0 hello\n");
  });
});

describe("an agent that is not installed", () => {
  test("fails a session if everything must be preinstalled", async () => {
    const { installer, putOwn } = arrange({
      SANDBOX_AGENT_REQUIRE_PREINSTALL: "1",
      SANDBOX_AGENT_INSTALL_SOURCE: "npm",
    });
    const problem = await problemOf(installer.require("claude", "3.0.0"));
    expect(problem).toMatchObject({ kind: "agent_not_installed", context: { agent: "claude" } });
    expect(problem.message).toContain("sandbox-agent install-agent claude --agent-version 3.0.0");
    putOwn("2.1.197");
    expect(await installer.require("claude")).toMatchObject({ version: "2.1.197" });
  });

  test("is not installed if only PATH is allowed", async () => {
    const { message } = await problemOf(arrange().installer.install("claude"));
    expect(message).toMatch(/SANDBOX_AGENT_INSTALL_SOURCE=path does not allow .*SANDBOX_AGENT_CLAUDE_PATH/);
  });

  test("is not replaced by another if its variable is wrong", async () => {
    const { installer, putOwn } = arrange({ SANDBOX_AGENT_CLAUDE_PATH: "/nonexistent/claude" });
    putOwn("2.1.197");
    expect(await installer.find("claude")).toBeNull();
    const { message } = await problemOf(installer.require("claude"));
    expect(message).toMatch(/SANDBOX_AGENT_CLAUDE_PATH is \/nonexistent\/claude/);
  });

  test("is not installed from an unknown source", async () => {
    const { installer } = arrange({ SANDBOX_AGENT_INSTALL_SOURCE: "ftp" });
    expect((await problemOf(installer.install("claude"))).message).toMatch(/must be npm, vendor or path/);
  });
});
