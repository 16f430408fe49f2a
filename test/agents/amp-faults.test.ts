/** What goes wrong around Amp: credentials, programs, workspaces that cannot be gated. Each has a clear end. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { UniversalEvent } from "@sandbox-agent/schema";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../harness/daemon.ts";
import { startLab } from "./amp-lab.ts";
import { helpOf } from "./amp-stand-in/recorded.ts";
import { closedForGood } from "./closed-for-good.ts";
import { directoriesVanish } from "./own-process.ts";
import { endOf, itemsOf, ofType, texts } from "./reading.ts";

const codes = (events: readonly UniversalEvent[]) => ofType(events, "error").map(({ data }) => data.code);

describe("a session", () => closedForGood(startLab));

describe("credentials", () => {
  test("that are missing are asked for at once", async () => {
    const lab = await startLab({ env: { AMP_API_KEY: "" } });
    await lab.create("s");
    const events = await lab.prompt("s", "hello");
    expect(codes(events)).toEqual(["auth_required"]);
    expect(endOf(events)).toBe("failed");
    await lab.check("s");
  });

  test("that are rejected end the turn, and those of a session take precedence", async () => {
    const lab = await startLab();
    await lab.create("s", { credentials: { amp: "bad-key" } });
    const events = await lab.prompt("s", "hello");
    expect(codes(events)).toEqual(["auth_invalid"]);
    expect(ofType(events, "error")[0]?.data.message).toMatch(/^Invalid or missing API key/);
    expect(endOf(events)).toBe("failed");
    await lab.check("s");
    await lab.stop();
  });

  test("of a login count, and no other keys reach the agent", async () => {
    const home = temporaryDirectory();
    mkdirSync(join(home, ".local/share/amp"), { recursive: true });
    const secrets = { "apiKey@https://ampcode.com/": "key-of-the-login" };
    writeFileSync(join(home, ".local/share/amp/secrets.json"), JSON.stringify(secrets));
    const lab = await startLab({ home, env: { AMP_API_KEY: "", OPENAI_API_KEY: "not-for-amp" } });
    await lab.create("s", { permissionMode: "bypass" });
    const output = JSON.stringify(itemsOf(await lab.prompt("s", "RUN[env]")));
    expect(output).toContain("AMP_API_KEY=key-of-the-login");
    expect(output).not.toContain("not-for-amp");
  });
});

describe("a workspace that allows tool calls", () => {
  test.each([
    ["all at once", '{ "amp.dangerouslyAllowAll": true }'],
    ["by a rule, in a file with comments", '{ // no\n "amp.permissions": [{ "tool": "*", "action": "allow" }], }'],
    ["by another program", '{ "amp.permissions": [{ "tool": "*", "action": "delegate", "to": "/bin/true" }] }'],
  ])("%s is rejected, except with bypass", async (_, settings) => {
    const lab = await startLab();
    const directory = join(lab.directory, "below");
    mkdirSync(directory);
    mkdirSync(join(lab.directory, ".amp"));
    writeFileSync(join(lab.directory, ".amp/settings.json"), settings);
    const answer = await lab.client.create("s", { agent: "amp", directory });
    expect(answer.text).toContain("allows tool calls");
    await lab.create("free", { directory, permissionMode: "bypass" });
    expect(texts(await lab.prompt("free", "SAY[hello]"))).toEqual(["hello"]);
  });

  test("is accepted if its rules only ask or reject", async () => {
    const lab = await startLab();
    mkdirSync(join(lab.directory, ".amp"));
    const settings = { "amp.permissions": [{ tool: "Bash", action: "reject" }] };
    writeFileSync(join(lab.directory, ".amp/settings.json"), JSON.stringify(settings));
    await lab.create("s");
  });
});

test("a build without settings file is rejected, except with bypass", async () => {
  const lab = await startLab({ lacks: "--settings-file" });
  const answer = await lab.client.create("s", { agent: "amp", directory: lab.directory });
  expect(answer.text).toContain("does not support --settings-file");
});

test("a data directory that is not writable is an error with its path", async () => {
  const dataDir = temporaryDirectory();
  writeFileSync(join(dataDir, "amp"), "in the way");
  const lab = await startLab({ dataDir });
  const answer = await lab.client.create("s", { agent: "amp", directory: lab.directory });
  expect(answer.text).toContain("the program that requests permissions cannot be installed");
});

describe("a provider", () => {
  test.each([
    [500, "provider_error"],
    [429, "rate_limited"],
    [529, "overloaded"],
  ])("that answers %i is reported as %s, and the thread goes on", async (status, code) => {
    const lab = await startLab();
    await lab.create("s");
    const events = await lab.prompt("s", `ERR${status} please`);
    expect(codes(events)).toEqual([code]);
    expect(endOf(events)).toBe("failed");
    expect(texts(await lab.prompt("s", "RECALL"))[0]).toContain("please");
    await lab.check("s");
  });
});

describe("a process", () => {
  directoriesVanish(startLab, "RECALL");

  test("that is killed in a turn fails the turn and its tools; the next message continues", async () => {
    const lab = await startLab();
    await lab.create("s", { permissionMode: "bypass" });
    await lab.prompt("s", "remember 42");
    await lab.client.send("s", "RUN[sleep 300]");
    await lab.seen("s", (event) => event.type === "item.completed" && event.data.item.kind === "tool_call");
    for (const pid of lab.processes()) process.kill(pid, "SIGKILL");
    const events = await lab.finish("s");
    expect(codes(events)).toEqual(["process_exit"]);
    expect(endOf(events)).toBe("failed");
    expect(texts(await lab.prompt("s", "RECALL"))[0]).toContain("remember 42");
    await lab.check("s");
    await lab.stop();
  });

  test("that exits while idle is replaced with the next message", async () => {
    const lab = await startLab();
    await lab.create("s");
    await lab.prompt("s", "remember 42");
    for (const pid of lab.processes()) process.kill(pid, "SIGKILL");
    expect(texts(await lab.prompt("s", "RECALL"))[0]).toContain("remember 42");
    await lab.check("s");
    await lab.stop();
  });

  const broken: [string, string, RegExp][] = [
    ["exits at once", "echo no such luck >&2; exit 3", /no such luck/],
    ["closes its output and lives on", "exec >&-; sleep 60", /SIGKILL/],
    ["ends in the middle of a turn", "read a; exit 4", /code 4/],
  ];

  test.each(broken)("that %s is a clear error, and the third in a row ends the session", async (_, script, cause) => {
    const lab = await startLab({ program: program(script) });
    await lab.create("s");
    for (let attempt = 1; attempt <= 3; attempt++) {
      const events = await lab.prompt("s", "hello");
      expect(ofType(events, "error")[0]?.data.message).toMatch(cause);
      expect(events.at(-1)?.type).toBe(attempt < 3 ? "turn.ended" : "session.ended");
    }
    await lab.check("s");
    await lab.stop();
  });

  test("that writes invalid lines is quoted, and a very long line is accepted", async () => {
    const result = JSON.stringify({ type: "result", subtype: "success", is_error: false, result: "" });
    const long = `head -c 10000000 /dev/zero | tr '\\0' x`;
    const script = `read a; echo 'not json'; ${long}; echo; echo '${result}'; cat >/dev/null`;
    const lab = await startLab({ program: program(script) });
    await lab.create("s");
    const events = await lab.prompt("s", "hello");
    expect(ofType(events, "agent.unparsed")).toHaveLength(2);
    expect(endOf(events)).toBe("completed");
    await lab.stop();
  });

  test("that does not support stream-json is an error with its path", async () => {
    const path = join(temporaryDirectory(), "amp");
    writeFileSync(path, "#!/bin/sh\necho 'Usage: amp 1.2.3'\n");
    chmodSync(path, 0o755);
    const lab = await startLab({ program: path });
    const answer = await lab.client.create("s", { agent: "amp", directory: lab.directory });
    expect(answer.text).toContain("does not support --execute and --stream-json");
  });
});

test("MCP servers reach Amp in a file, not on the command line", async () => {
  const lab = await startLab();
  const mcp = { remote: { type: "http", url: "http://127.0.0.1:9/mcp", headers: { authorization: "a-secret" } } };
  await lab.create("s", { permissionMode: "bypass", mcp });
  const read = "tr '\\0' '\\n' </proc/$PPID/cmdline; cat \"$(tr '\\0' '\\n' </proc/$PPID/cmdline | grep mcp.json)\"";
  const output = JSON.stringify(
    itemsOf(await lab.prompt("s", `RUN[${read}]`)).filter(({ kind }) => kind === "tool_result"),
  );
  expect(output).toContain("--mcp-config");
  // Once, in the file: a secret is replaced wherever an agent shows it.
  expect(output.split("[redacted]")).toHaveLength(2);
  expect(output).not.toContain("a-secret");
});

/** An `amp` that offers what the real one does, and then runs a shell script. */
function program(script: string): string {
  const directory = temporaryDirectory();
  const path = join(directory, "amp");
  writeFileSync(join(directory, "help"), helpOf("v1790142911"));
  const asked = `case "$1" in --help) exec cat '${directory}/help';; --version) echo 0.0.1; exit;; esac`;
  writeFileSync(path, `#!/bin/sh\n${asked}\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}
