/** `opencode`: OpenCode's terminal interface on our sessions. Starts the daemon and installs OpenCode if needed. */
import { join } from "node:path";
import type { Command } from "commander";
import * as z from "zod";
import { call } from "../client.ts";
import { type Address, urlOf } from "../daemon/address.ts";
import { stateAt } from "../daemon/find.ts";
import { startInBackground } from "../daemon/start.ts";
import { defaultHost, defaultPort } from "../default-address.ts";
import { Failure } from "../failure.ts";
import { createProgressView } from "../install-progress.ts";
import { path, wholeNumber } from "../option-values.ts";
import { checkTokenLength, givenServerToken, type ServerToken } from "../token/server-token.ts";

interface OpenCodeOptions extends Address {
  dataDir?: string;
  sessionTitle?: string;
  yolo?: true;
}

export function addOpenCode(program: Command): void {
  const command = program
    .command("opencode [args...]")
    .description("Open OpenCode's terminal interface on the daemon's sessions, with any agent")
    .option("-H, --host <host>", "address of the daemon", defaultHost)
    .option("-p, --port <port>", "port of the daemon", wholeNumber(1, 65535), defaultPort)
    .option("--data-dir <path>", "where sessions are stored (default: ~/.local/share/sandbox-agent)", path)
    .option("--session-title <title>", "start a session with this title")
    .option("--yolo", "start a session in which the agent never asks for permission")
    .addHelpText("after", help);
  command.action(async (args: string[], options: OpenCodeOptions) => attach(args, options, givenServerToken(command)));
}

async function attach(args: string[], options: OpenCodeOptions, given: ServerToken): Promise<void> {
  const { host, port, dataDir } = options;
  checkTokenLength(given, host);
  await startInBackground({ host, port }, { token: given, ...(dataDir !== undefined && { dataDir }) });
  const token = given === undefined ? (stateAt({ host, port })?.token ?? null) : given;
  const endpoint = urlOf({ host, port });
  // OpenCode would only report that it cannot connect.
  await call({ endpoint, token }, "listAgents", { params: {} });
  const base = `${endpoint}/opencode`;
  const session = options.sessionTitle !== undefined || options.yolo ? await createSession(base, options, token) : null;
  const openCode = await installed(dataDir);
  const chosen = session === null ? [] : ["--session", session];
  const child = Bun.spawn([...openCode.command, "attach", base, "--dir", process.cwd(), ...chosen, ...args], {
    stdio: ["inherit", "inherit", "inherit"],
    // Passed by environment, because other users can read command lines.
    env: { ...process.env, ...openCode.env, ...(token !== null && { OPENCODE_SERVER_PASSWORD: token }) },
  });
  // OpenCode handles Ctrl-C itself.
  process.on("SIGINT", () => {});
  process.exitCode = await child.exited;
}

async function installed(dataDir: string | undefined) {
  const { createInstaller } = await import("@sandbox-agent/agents");
  const { defaultDataDir } = await import("@sandbox-agent/daemon");
  const installer = createInstaller({ directory: join(dataDir ?? defaultDataDir(), "bin"), env: process.env });
  installer.onProgress(createProgressView(process.stderr));
  return installer.install("opencode", {});
}

const Created = z.object({ id: z.string() });

async function createSession(
  base: string,
  { sessionTitle: title, yolo }: OpenCodeOptions,
  token: string | null,
): Promise<string> {
  const response = await fetch(`${base}/session?directory=${encodeURIComponent(process.cwd())}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token !== null && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ title, ...(yolo && { permissionMode: "bypass" }) }),
    proxy: false,
  });
  if (response.ok) return Created.parse(await response.json()).id;
  throw new Failure(`cannot create a session: ${await response.text()}`);
}

const help = `
Arguments after \`--\` are passed to \`opencode attach\`.

Examples:
  $ sandbox-agent opencode
  $ sandbox-agent opencode --session-title "Fix the tests" --yolo
  $ sandbox-agent opencode -- --continue`;
