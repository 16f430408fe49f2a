/** `daemon start | stop | status`: the daemon as a background process. */
import type { Command } from "commander";
import type { Address } from "../daemon/address.ts";
import { startInBackground } from "../daemon/start.ts";
import { statusOf, statusTable } from "../daemon/status.ts";
import { stopInBackground } from "../daemon/stop.ts";
import { defaultHost, defaultPort } from "../default-address.ts";
import { path, repeated, wholeNumber } from "../option-values.ts";
import { print, printValue } from "../print.ts";
import { checkTokenLength, givenServerToken } from "../token/server-token.ts";

interface StartOptions extends Address {
  dataDir?: string;
  agentConfig?: string;
  agentEnv?: string[];
  upgrade?: true;
}

export function addDaemon(program: Command): void {
  const daemon = program.command("daemon").description("Run the daemon in the background");

  const start = addAddress(daemon.command("start").description("Start the daemon and wait until it is healthy"))
    .option("--data-dir <path>", "where sessions are stored (default: ~/.local/share/sandbox-agent)", path)
    .option(
      "--agent-config <file>",
      "file with more agent definitions, in addition to agents.json in the data directory",
      path,
    )
    .option(
      "--agent-env <name>",
      "variable to pass to agents even if it is named like a secret; may be repeated",
      repeated,
    )
    .option("--upgrade", "restart the daemon if its version differs from this program");
  start.action(async ({ host, port, ...options }: StartOptions) => {
    const token = givenServerToken(start);
    checkTokenLength(token, host);
    await print(await startInBackground({ host, port }, { ...options, token }));
  });

  addAddress(daemon.command("stop").description("Stop the daemon")).action(async (address: Address) =>
    print(await stopInBackground(address)),
  );

  addAddress(daemon.command("status").description("Show whether the daemon is running"))
    .option("--json", "print JSON even to a terminal")
    .action(async ({ json, ...address }: Address & { json?: true }) => {
      const status = await statusOf(address);
      await printValue(status, { table: () => statusTable(status), json: json ?? false });
    });
}

function addAddress(command: Command): Command {
  return command
    .option("-H, --host <host>", "address of the daemon", defaultHost)
    .option("-p, --port <port>", "port of the daemon", wholeNumber(1, 65535), defaultPort);
}
