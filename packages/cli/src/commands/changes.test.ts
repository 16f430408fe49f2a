/** Checkpoints, diffs and the configuration of a directory from the command line. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Checkpoint, CheckpointList, DiffResponse } from "@sandbox-agent/schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cli, type Server, startServer, temporaryDirectory } from "../../test/cli-process.ts";

let server: Server;
beforeAll(async () => {
  server = await startServer(["--no-token"]);
});
afterAll(() => server.stop());

async function ok(line: string): Promise<unknown> {
  const { code, stdout, stderr } = await cli(line.split(" "), { env: { SANDBOX_AGENT_ENDPOINT: server.url } });
  expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: "" });
  return stdout === "" ? null : JSON.parse(stdout);
}

test("a checkpoint is made, listed, previewed and restored, and the diff is seen", async () => {
  const directory = temporaryDirectory();
  const file = join(directory, "a.txt");
  writeFileSync(file, "before\n");
  await ok(`sessions create c -a mock --directory ${directory}`);
  const made = Checkpoint().parse(await ok("sessions checkpoint c --title start"));
  expect(CheckpointList().parse(await ok("sessions checkpoints c")).checkpoints).toEqual([made]);
  writeFileSync(file, "after\n");
  expect(DiffResponse().parse(await ok("sessions diff c")).diff).toContain("-before\n+after\n");
  expect(DiffResponse().parse(await ok(`sessions preview-checkpoint c ${made.checkpointId}`)).files).toHaveLength(1);
  expect(await ok(`sessions restore-checkpoint c ${made.checkpointId}`)).toMatchObject({ restored: made });
  expect(readFileSync(file, "utf8")).toBe("before\n");
  const refused = await cli(["sessions", "diff", "c", "--turn", "1"], { env: { SANDBOX_AGENT_ENDPOINT: server.url } });
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain("urn:sandbox-agent:error:not_found");
});

test("MCP servers and skills of a directory are set, shown, listed and removed", async () => {
  const directory = temporaryDirectory();
  const [mcp, skills] = [join(directory, "mcp.json"), join(directory, "skills.json")];
  const config = { type: "local", command: "server", env: { KEY: "secret" } };
  writeFileSync(mcp, JSON.stringify(config));
  writeFileSync(join(directory, "SKILL.md"), "# a skill\n");
  const sources = { sources: [{ type: "local", source: directory }] };
  writeFileSync(skills, JSON.stringify(sources));
  const here = `--directory ${directory}`;

  await ok(`api config mcp set tools ${here} --config ${mcp}`);
  expect(await ok(`api config mcp get tools ${here}`)).toEqual({ ...config, env: { KEY: "<redacted>" } });
  expect(await ok(`api config mcp get tools ${here} --reveal`)).toEqual(config);
  expect(await ok(`api config mcp list ${here} --reveal`)).toEqual({ servers: [{ directory, name: "tools", config }] });
  await ok(`api config mcp delete tools ${here}`);
  expect(await ok("api config mcp list")).toEqual({ servers: [] });

  await ok(`api config skills set pack ${here} --config ${skills}`);
  expect(await ok(`api config skills get pack ${here}`)).toEqual(sources);
  expect(await ok(`api config skills list ${here}`)).toMatchObject({ skills: [{ directory, name: "pack" }] });
  await ok(`api config skills delete pack ${here}`);
  expect(await ok("api config skills list")).toEqual({ skills: [] });
});
