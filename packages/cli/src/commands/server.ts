/** `server`: runs the daemon in this process until a stop signal. */
import type { DaemonOptions } from "@sandbox-agent/daemon";
import type { Command } from "commander";
import { banner } from "../banner.ts";
import { type Address, urlOf } from "../daemon/address.ts";
import { removeStaleStates, removeState, writeState } from "../daemon/state.ts";
import { defaultHost, defaultPort } from "../default-address.ts";
import { Failure, reasonOf, usageError } from "../failure.ts";
import { isLoopback } from "../loopback.ts";
import { jwksUrl, path, port, repeated, wholeNumber } from "../option-values.ts";
import { warn, writeOutput } from "../server-output.ts";
import { standardInputClosed, stopRequested } from "../stop-signals.ts";
import { tokenDescriptorOption } from "../token/given-token.ts";
import { scrub } from "../token/scrub.ts";
import { checkTokenLength, givenServerToken, type ServerToken } from "../token/server-token.ts";
import { version } from "../version.ts";

interface ServerOptions {
  host: string;
  port: number;
  corsAllowOrigin?: string[];
  corsAllowMethod?: string[];
  corsAllowHeader?: string[];
  corsAllowCredentials?: true;
  allowHost?: string[];
  dataDir?: string;
  ephemeral?: true;
  fsRoot?: string;
  retainDays?: number;
  retainEvents?: number;
  turnStallMs?: number;
  agentIdleMs?: number;
  acpIdleMs?: number;
  exitWithParent?: true;
  agentConfig?: string;
  agentEnv?: string[];
  allowUnverifiedDownloads?: true;
  authJwks?: string;
  authAudience?: string[];
  authIssuer?: string;
  authScopesClaim: string;
  authSessionsClaim: string;
}

export function addServer(program: Command): void {
  const command = program
    .command("server")
    .description("Run the daemon in the foreground")
    .option("-H, --host <host>", "address to listen on", defaultHost)
    .option("-p, --port <port>", "port to listen on; 0 for any free port", port, defaultPort)
    .option("-O, --cors-allow-origin <origin>", "web origin that may call the API; may be repeated", repeated)
    .option(
      "-M, --cors-allow-method <method>",
      "method that web origins may use; may be repeated (default: any)",
      repeated,
    )
    .option(
      "-A, --cors-allow-header <header>",
      "header that web origins may send; may be repeated (default: any)",
      repeated,
    )
    .option("-C, --cors-allow-credentials", "let web origins send credentials")
    .option("--allow-host <name>", "name in the Host header to serve without a token; may be repeated", repeated)
    .option("--data-dir <path>", "where sessions are stored (default: ~/.local/share/sandbox-agent)", path)
    .option("--ephemeral", "keep sessions in memory only")
    .option("--fs-root <path>", "restrict file requests to this directory (default: no restriction)", path)
    .option("--retain-days <n>", "delete sessions that are unused for this many days (default: never)", wholeNumber(1))
    .option("--retain-events <n>", "keep at most this many events of each session (default: all)", wholeNumber(1))
    .option(
      "--agent-config <file>",
      "file with more agent definitions, in addition to agents.json in the data directory",
      path,
    )
    .option(
      "--agent-env <name>",
      "variable to pass to agents even if it is named like a secret, such as GITHUB_TOKEN; may be repeated",
      repeated,
    )
    .option("--allow-unverified-downloads", "install agents without a checksum, and download over plain http")
    .option("--agent-idle-ms <n>", "close an agent process that is idle for this long; 0 to disable", timer)
    .option("--acp-idle-ms <n>", "close an ACP server that is unused for this long; 0 to disable", timer)
    .option("--turn-stall-ms <n>", "end a turn without events for this long; 0 to disable", timer)
    .option("--auth-jwks <url>", "URL of an identity provider's keys; accept tokens signed with them", jwksUrl)
    .option("--auth-issuer <issuer>", "required `iss` claim of these tokens")
    .option("--auth-audience <audience>", "required `aud` claim of these tokens; may be repeated", repeated)
    .option("--auth-scopes-claim <name>", "claim with the scopes of these tokens", "scope")
    .option("--auth-sessions-claim <name>", "claim that limits these tokens to sessions", "sandbox_agent_sessions")
    .option("--exit-with-parent", "stop when standard input closes, as it does when the parent process dies")
    .addOption(tokenDescriptorOption())
    .option("--no-telemetry", "accepted for compatibility; there is no telemetry")
    .addHelpText("after", help);
  command.action(async (options: ServerOptions) => {
    const token = givenServerToken(command);
    await scrub(command, token);
    checkTokenLength(token, options.host);
    await serve(options, token);
  });
}

/** The maximum delay of a timer. */
const timer = wholeNumber(0, 2 ** 31 - 1);

async function serve(options: ServerOptions, token: ServerToken): Promise<void> {
  const stop = options.exitWithParent ? Promise.race([stopRequested(), standardInputClosed()]) : stopRequested();
  const { defaultOptions, runDaemon, startDaemon } = await import("@sandbox-agent/daemon");
  const daemonOptions = daemonOptionsOf(options, token, defaultOptions);
  const daemon = await startDaemon(daemonOptions);
  const address = { host: options.host, port: Number(new URL(daemon.url).port) };
  const made = token === undefined ? daemon.token : null;
  const dataDir = daemonOptions.ephemeral ? null : daemonOptions.dataDir;
  publish(address, dataDir, made);
  writeOutput(
    banner({
      url: daemon.url,
      localUrl: urlOf(address),
      dataDir,
      token: made === null ? (daemon.token === null ? null : "given") : { made },
    }),
  );
  if (token === null && !isLoopback(options.host)) warnOfOpenServer(daemon.url);
  // After the start, because no process is started before the first request.
  (await import("../token/native.ts")).protectMemory();
  const cleanup = setTimeout(removeStaleStates, cleanupDelayMs).unref();
  try {
    if (daemon.warning) warn(daemon.warning);
    if ((await runDaemon(daemon, stop)) === "stopped") return;
  } finally {
    clearTimeout(cleanup);
    removeState(address, process.pid);
  }
  throw new Failure("the server stopped after an internal error; see the last lines of its log");
}

/** After the start, so that it does not slow it down. */
const cleanupDelayMs = 5000;

/** Lets the commands of this user find the daemon. A failure is only a warning. */
function publish(address: Address, dataDir: string | null, token: string | null): void {
  try {
    writeState({ ...address, version, dataDir, token });
  } catch (error) {
    warn(`commands cannot find this server automatically; use --endpoint and --token: ${reasonOf(error)}`);
  }
}

function warnOfOpenServer(url: string): void {
  warn(
    [
      "THIS SERVER HAS NO TOKEN AND CAN BE REACHED FROM OTHER MACHINES.",
      `         Anyone who can reach ${url} can run any command as this user, and read and change all files.`,
      "         Stop it now unless a proxy or firewall restricts access.",
      "         Without --no-token, the server creates a token.",
    ].join("\n"),
  );
}

function daemonOptionsOf(options: ServerOptions, token: ServerToken, defaults: DaemonOptions): DaemonOptions {
  return {
    host: options.host,
    port: options.port,
    token: token ?? null,
    makeToken: token === undefined,
    dataDir: options.dataDir ?? defaults.dataDir,
    ephemeral: options.ephemeral ?? defaults.ephemeral,
    cors: {
      origins: options.corsAllowOrigin ?? [],
      methods: options.corsAllowMethod ?? [],
      headers: options.corsAllowHeader ?? [],
      credentials: options.corsAllowCredentials ?? false,
    },
    allowHosts: options.allowHost ?? defaults.allowHosts,
    fsRoot: options.fsRoot ?? defaults.fsRoot,
    retainDays: options.retainDays ?? defaults.retainDays,
    retainEvents: options.retainEvents ?? defaults.retainEvents,
    turnStallMs: options.turnStallMs ?? defaults.turnStallMs,
    agentIdleMs: options.agentIdleMs ?? defaults.agentIdleMs,
    acpIdleMs: options.acpIdleMs ?? defaults.acpIdleMs,
    agentConfig: options.agentConfig ?? defaults.agentConfig,
    agentEnv: options.agentEnv ?? defaults.agentEnv,
    allowUnverifiedDownloads: options.allowUnverifiedDownloads ?? defaults.allowUnverifiedDownloads,
    identity: identityOf(options),
  };
}

/** All three or none: a token for another service must not be accepted here. */
function identityOf(options: ServerOptions): DaemonOptions["identity"] {
  const { authJwks: jwks, authIssuer: issuer, authAudience: audience } = options;
  if (jwks === undefined && issuer === undefined && audience === undefined) return null;
  if (jwks === undefined || issuer === undefined || audience === undefined)
    throw usageError("--auth-jwks, --auth-issuer and --auth-audience must be used together");
  return { jwks, issuer, audience, scopesClaim: options.authScopesClaim, sessionsClaim: options.authSessionsClaim };
}

const help = `
Without a token, the server creates one, stores it in the file \`token\` of the data directory and prints it. Commands of the
same user find it automatically. A token that you pass is not stored, and is removed from the environment and the command line of
the server, where agents could read it.`;
