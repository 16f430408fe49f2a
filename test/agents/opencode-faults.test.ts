/** Failures that the daemon must survive: servers that exit, ports in use, wrong programs, restarts. */
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import type { Installer } from "@sandbox-agent/agents";
import { describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../packages/agents/src/opencode/server.ts";
import { type Lab, type LabOptions, openLab } from "./opencode-lab.ts";
import { endOf, errorsOf, texts } from "./reading.ts";

const timeoutMs = 180_000;

async function labFor(options: LabOptions = {}): Promise<Lab> {
  const lab = await openLab(options);
  onTestFinished(() => lab.close(), timeoutMs);
  return lab;
}

/** Processes that carry the mark of this lab's daemon. */
function processesOf({ owner }: Lab): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => variablesOf(pid).includes(`SANDBOX_AGENT_OWNER=${owner}`))
    .map(Number);
}

function serverOf(lab: Lab): number {
  const pid = processesOf(lab).find((each) => readFileSync(`/proc/${each}/cmdline`, "utf8").includes("\0serve\0"));
  if (pid === undefined) throw new Error("no server is running");
  return pid;
}

function variablesOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}

async function server({ client }: Lab) {
  const { json } = await client.get("/v1/agents/opencode");
  return json.serverStatus;
}

test(
  "a server that is killed fails the running turn; the next message starts it again with the history",
  async () => {
    const lab = await labFor();
    await lab.create("s", { permissionMode: "bypass" });
    await lab.create("other");
    await lab.turn("s", "[[say first]]");
    await lab.send("s", "[[sh echo begun; sleep 600]]");
    await lab.seen("s", (event) => event.type === "item.delta" && event.data.delta.startsWith("begun"));
    process.kill(serverOf(lab), "SIGKILL");
    await lab.wait("s", "idle");
    // A killed process can be seen for a moment.
    await expect.poll(() => processesOf(lab), { timeout: 10_000 }).toEqual([]);
    const events = await lab.client.events("s");
    expect(errorsOf(events)).toEqual(["process_exit"]);
    expect(endOf(events)).toBe("failed");
    expect(await server(lab)).toMatchObject({ status: "error", lastError: expect.stringContaining("SIGKILL") });

    expect(texts(await lab.turn("s", "[[recall]]")).join()).toContain("[[say first]]");
    expect(texts(await lab.turn("other", "[[say unharmed]]"))).toEqual(["unharmed"]);
    expect(await server(lab)).toMatchObject({ status: "running", restartCount: 1 });
    await lab.check("s");
  },
  timeoutMs,
);

test(
  "after a restart of the daemon the conversation goes on, and nothing is left when it stops",
  async () => {
    const lab = await labFor();
    await lab.create("s");
    await lab.turn("s", "[[say first]]");
    await lab.restart();
    expect(texts(await lab.turn("s", "[[recall]]")).join()).toContain("[[say first]]");
    await lab.check("s");
    expect(processesOf(lab)).not.toEqual([]);
    await lab.stop();
    expect(processesOf(lab)).toEqual([]);
  },
  timeoutMs,
);

test(
  "a conversation that OpenCode has lost starts again, with a notice",
  async () => {
    const lab = await labFor();
    await lab.create("s");
    const data = join(lab.home, ".local/share/opencode");
    await lab.restart();
    for (const name of readdirSync(data).filter((each) => each.startsWith("opencode")))
      await Bun.file(join(data, name)).delete();
    const events = await lab.turn("s", "[[say anew]]");
    expect(JSON.stringify(events)).toContain("Conversation restarted");
    expect(texts(events)).toEqual(["anew"]);
  },
  timeoutMs,
);

test(
  "a session that could not be opened does not keep the server from being idle",
  async () => {
    let isBroken = true;
    const choosePort = () => (isBroken ? Promise.reject(new Error("no port to be had")) : freePort());
    const lab = await labFor({ idleMs: 500, choosePort });
    const defaults = { agent: "opencode", model: "anthropic/claude-sonnet-4-5", directory: lab.directory };
    const { status, json } = await lab.client.create("refused", defaults);
    expect([status, json.detail]).toEqual([502, expect.stringContaining("no port to be had")]);
    isBroken = false;
    await lab.create("s");
    await lab.turn("s", "[[say hello]]");
    while (processesOf(lab).length > 0) await Bun.sleep(50);
  },
  timeoutMs,
);

test(
  "an abort that is answered too late ends no other turn",
  async () => {
    const lab = await labFor();
    await lab.create("s");
    await lab.send("s", "[[slow 500 50]]");
    await lab.seen("s", ({ type }) => type === "item.delta");
    const pid = serverOf(lab);
    process.kill(pid, "SIGSTOP");
    await lab.abort("s");
    process.kill(pid, "SIGCONT");
    const events = await lab.turn("s", "[[say again]]");
    expect(texts(events)).toEqual(["again"]);
    expect(errorsOf(events)).toEqual([]);
    await lab.check("s");
  },
  timeoutMs,
);

test(
  "an idle server is stopped and comes back with the next message",
  async () => {
    const lab = await labFor({ idleMs: 500 });
    await lab.create("s");
    await lab.turn("s", "[[say first]]");
    while (processesOf(lab).length > 0) await Bun.sleep(50);
    expect(await server(lab)).toMatchObject({ status: "stopped" });
    expect(texts(await lab.turn("s", "[[context]]"))[0]).toContain("User messages: 2");
    await lab.check("s");
  },
  timeoutMs,
);

test(
  "without any credentials a turn fails at once",
  async () => {
    const lab = await labFor({ anthropicKey: null });
    await lab.create("s");
    const events = await lab.turn("s", "[[say never]]");
    expect(errorsOf(events)).toEqual(["auth_required"]);
    expect(endOf(events)).toBe("failed");
    expect(lab.model.requests).toEqual([]);
  },
  timeoutMs,
);

test(
  "modes and models are read from OpenCode once for all callers",
  async () => {
    const lab = await labFor();
    const [modes, models] = await Promise.all([
      lab.client.get("/v1/agents/opencode/modes"),
      lab.client.get("/v1/agents/opencode/models"),
      lab.client.get("/v1/agents/opencode/models"),
    ]);
    expect(modes.json.modes.map(({ id }: { id: string }) => id)).toEqual(["build", "plan", "custom"]);
    const ids: string[] = models.json.models.map(({ id }: { id: string }) => id);
    expect(ids).toContain(models.json.defaultModel);
    expect(ids).toEqual(ids.toSorted());
    expect([...new Set(ids.map((id) => id.split("/", 1)[0]))]).toEqual(["anthropic"]);
    expect(models.text).not.toContain("test-key");
    expect(processesOf(lab)).toHaveLength(1);
  },
  timeoutMs,
);

describe("a taken port", () => {
  async function takenPort(): Promise<number> {
    const holder: Server = createServer();
    await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", () => resolve()));
    onTestFinished(() => new Promise((resolve) => holder.close(() => resolve())));
    const address = holder.address();
    if (typeof address !== "object" || !address) throw new Error("no address");
    return address.port;
  }

  test(
    "leads to another one",
    async () => {
      const ports = [await takenPort(), await freePort()];
      const lab = await labFor({ choosePort: async () => ports.shift() ?? freePort() });
      await lab.create("s");
      expect(texts(await lab.turn("s", "[[say there]]"))).toEqual(["there"]);
    },
    timeoutMs,
  );

  test(
    "again and again is a problem that names it",
    async () => {
      const port = await takenPort();
      const lab = await labFor({ choosePort: async () => port });
      const { status, json } = await lab.client.create("s", {
        agent: "opencode",
        model: "anthropic/x",
        directory: lab.directory,
      });
      expect(status).toBe(500);
      expect(json.detail).toContain(String(port));
      expect(json.agent).toBe("opencode");
    },
    timeoutMs,
  );
});

describe("a program that is not OpenCode is a clear problem:", () => {
  const programs: [string, string, RegExp][] = [
    ["it exits at once", "echo 'I am broken' >&2; exit 3", /I am broken/],
    [
      "it prints garbage and a line of 10 MB, then exits",
      "head -c 10000000 /dev/zero | tr '\\\\0' x; echo; echo '{]'; exit 4",
      /code 4/,
    ],
    ["it closes its output and lives on", "exec >&-; sleep 600", /SIGKILL/],
  ];

  test.each(programs)(
    "%s",
    async (_, script, cause) => {
      const lab = await labFor({ installer: installerOf(script) });
      const { status, json } = await lab.client.create("s", {
        agent: "opencode",
        model: "anthropic/x",
        directory: lab.directory,
      });
      expect(status).toBe(500);
      expect(json.detail).toMatch(cause);
      expect(processesOf(lab)).toEqual([]);
      const { json: modes } = await lab.client.get("/v1/agents/opencode/modes");
      expect(modes.modes).toHaveLength(3);
    },
    timeoutMs,
  );

  /** Finds a shell script instead of the program. */
  function installerOf(script: string): Installer {
    const path = join(process.env.TMPDIR ?? "/tmp", `no-opencode-${crypto.randomUUID()}`);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    onTestFinished(() => Bun.file(path).delete());
    const found = { agent: "opencode", version: null, path, command: [path] };
    return {
      find: async () => found,
      install: async () => found,
      require: async () => found,
      onProgress: () => () => {},
    };
  }
});
