/** Tests for every agent that has a process per session and exchanges JSON lines with it. */
import { mkdirSync, rmSync } from "node:fs";
import type { Installer } from "@sandbox-agent/agents";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../harness/daemon.ts";
import { installer, type LabOptions, type startAgentLab } from "./lab.ts";
import { endOf, errorsOf, ofType, texts } from "./reading.ts";

type StartLab = (options?: LabOptions) => ReturnType<typeof startAgentLab>;

export function conversationsGoOn(startLab: StartLab): void {
  test("goes on after a restart of the daemon", async () => {
    const [dataDir, home, directory] = [temporaryDirectory(), temporaryDirectory(), temporaryDirectory()];
    const before = await startLab({ dataDir, home });
    await before.create("s", { directory });
    await before.prompt("s", "remember the number 42");
    await before.stop();

    const after = await startLab({ dataDir, home });
    expect(texts(await after.prompt("s", "[[recall]]")).join()).toContain("remember the number 42");
    await after.check("s");
    await after.stop();
  });

  test("without turns can be started after a restart", async () => {
    const [dataDir, home, directory] = [temporaryDirectory(), temporaryDirectory(), temporaryDirectory()];
    const before = await startLab({ dataDir, home });
    await before.create("s", { directory });
    await before.stop();

    const after = await startLab({ dataDir, home });
    expect(texts(await after.prompt("s", "[[say hello]]"))).toEqual(["hello"]);
    await after.check("s");
  });

  test("goes on after its idle process was closed", async () => {
    const lab = await startLab({ idleMs: 50 });
    await lab.create("s");
    await lab.prompt("s", "remember the number 42");
    await lab.untilProcesses(0);
    expect(texts(await lab.prompt("s", "[[recall]]")).join()).toContain("remember the number 42");
    await lab.check("s");
  });
}

/** `tool`: what the agent calls its shell. */
export function processesDie(startLab: StartLab, tool: string): void {
  test("that is killed in a turn fails the turn and its tools; the next message continues", async () => {
    const lab = await startLab();
    await lab.create("other");
    const others = await lab.untilProcesses(1);
    await lab.create("s", { permissionMode: "bypass" });
    const own = (await lab.untilProcesses(2)).filter((pid) => !others.includes(pid));
    await lab.prompt("s", "remember the number 42");
    await lab.client.send("s", `[[tool ${tool} {"command":"sleep 300"}]]`);
    await lab.seen("s", (event) => event.type === "item.completed" && event.data.item.kind === "tool_call");
    for (const pid of own) process.kill(pid, "SIGKILL");
    const events = await lab.finish("s");
    expect(errorsOf(events)).toEqual(["process_exit"]);
    expect(endOf(events)).toBe("failed");
    await lab.untilProcesses(others.length);
    expect(texts(await lab.prompt("s", "[[recall]]")).join()).toContain("remember the number 42");
    await lab.check("s");
    expect(texts(await lab.prompt("other", "[[say still here]]"))).toEqual(["still here"]);
    await lab.stop();
  });

  test("that exits while idle is replaced with the next message", async () => {
    const lab = await startLab();
    await lab.create("s");
    await lab.prompt("s", "remember 42");
    for (const pid of await lab.untilProcesses(1)) process.kill(pid, "SIGKILL");
    await lab.untilProcesses(0);
    expect(texts(await lab.prompt("s", "[[recall]]")).join()).toContain("remember 42");
    await lab.check("s");
  });
}

/** A process that was killed while idle cannot be restarted in a deleted directory. `recall`: repeats the first message. */
export function directoriesVanish(startLab: StartLab, recall = "[[recall]]"): void {
  test("whose directory was deleted fails the turn with its path; once it is back, the conversation continues", async () => {
    const lab = await startLab();
    await lab.create("s");
    await lab.prompt("s", "remember 42");
    rmSync(lab.directory, { recursive: true });
    for (const pid of await lab.untilProcesses(1)) process.kill(pid, "SIGKILL");
    const events = await lab.prompt("s", "hello");
    expect(ofType(events, "error").map(({ data }) => data.message)).toEqual([
      expect.stringContaining(`directory ${lab.directory} does not exist; create it`),
    ]);
    expect(endOf(events)).toBe("failed");
    mkdirSync(lab.directory);
    expect(texts(await lab.prompt("s", recall)).join()).toContain("remember 42");
    await lab.check("s");
  });
}

/** `turn`: the lines with which the agent starts and ends a turn. */
export function programsAreWrong(startLab: StartLab, turn: { begins: string; ends: string }): void {
  const broken: [string, string, RegExp][] = [
    ["exits at once", "echo no such luck >&2; exit 3", /no such luck/],
    ["closes its output and lives on", "exec >&-; sleep 60", /SIGKILL/],
    ["ends in the middle of a turn", "read a; read b; exit 4", /code 4/],
  ];

  test.each(broken)("and %s is a clear error, and the third in a row ends the session", async (_, script, cause) => {
    const lab = await startLab({ installer: program(script) });
    await lab.create("s");
    for (let attempt = 1; attempt <= 3; attempt++) {
      const events = await lab.prompt("s", "hello");
      expect(ofType(events, "error")[0]?.data.message).toMatch(cause);
      expect(endOf(events)).toBe("failed");
      expect(events.at(-1)?.type).toBe(attempt < 3 ? "turn.ended" : "session.ended");
    }
    await lab.check("s");
    await lab.stop();
  });

  test("and writes invalid lines is quoted, and a very long line is accepted", async () => {
    const long = `head -c 10000000 /dev/zero | tr '\\0' x`;
    const script = `read a; read b; ${turn.begins}; echo 'not json'; ${long}; echo; ${turn.ends}; cat >/dev/null`;
    const lab = await startLab({ installer: program(script) });
    await lab.create("s");
    const events = await lab.prompt("s", "hello");
    expect(ofType(events, "agent.unparsed")).toHaveLength(2);
    expect(endOf(events)).toBe("completed");
    await lab.stop();
  });
}

/** An installer whose agent is a shell script. */
function program(script: string): Installer {
  const found = (agent: string) => ({ agent, version: null, path: "/bin/sh", command: ["/bin/sh", "-c", script] });
  return { ...installer, find: async () => null, require: async (agent) => found(agent) };
}
