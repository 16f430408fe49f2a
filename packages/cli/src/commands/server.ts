/** `server`: runs the daemon in this process until it is told to stop. */
import type { DaemonOptions } from "@sandbox-agent/daemon";
import type { Command } from "commander";
import { tokenOf } from "../connection.ts";
import { defaultHost, defaultPort } from "../default-address.ts";
import { Failure, usageError } from "../failure.ts";
import { isLoopback } from "../loopback.ts";
import { jwksUrl, path, port, repeated, wholeNumber } from "../option-values.ts";
import { tell, warn } from "../server-output.ts";
import { standardInputClosed, stopRequested } from "../stop-signals.ts";
import { version } from "../version.ts";

interface ServerOptions {
  host: string;
  port: number;
  corsAllowOrigin?: string[];
  corsAllowMethod?: string[];
  corsAllowHeader?: string[];
  corsAllowCredentials?: true;
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
    .option("-p, --port <port>", "port to listen on; 0 takes any free one", port, defaultPort)
    .option("-O, --cors-allow-origin <origin>", "web origin that may call the API; may be repeated", repeated)
    .option("-M, --cors-allow-method <method>", "method it may use; may be repeated (default: any)", repeated)
    .option("-A, --cors-allow-header <header>", "header it may send; may be repeated (default: any)", repeated)
    .option("-C, --cors-allow-credentials", "let it send credentials")
    .option("--data-dir <path>", "where sessions are kept (default: ~/.local/share/sandbox-agent)", path)
    .option("--ephemeral", "keep sessions in memory only")
    .option("--fs-root <path>", "let requests for files reach only what lies below (default: everything)", path)
    .option("--retain-days <n>", "delete sessions untouched for this many days (default: never)", wholeNumber(1))
    .option("--retain-events <n>", "keep at most this many events of each session (default: all)", wholeNumber(1))
    .option(
      "--agent-config <file>",
      "file that defines further agents, besides agents.json in the data directory",
      path,
    )
    .option("--agent-idle-ms <n>", "close an agent process that is idle for this long; 0 never does", timer)
    .option("--acp-idle-ms <n>", "close an ACP server that is unused for this long; 0 never does", timer)
    .option("--turn-stall-ms <n>", "end a turn that is silent for this long; 0 never does", timer)
    .option("--auth-jwks <url>", "accept tokens that are signed with these keys of an identity provider", jwksUrl)
    .option("--auth-issuer <issuer>", "`iss` claim that they must have")
    .option("--auth-audience <audience>", "`aud` claim that they must have; may be repeated", repeated)
    .option("--auth-scopes-claim <name>", "claim that holds their scopes", "scope")
    .option("--auth-sessions-claim <name>", "claim that limits them to sessions", "sandbox_agent_sessions")
    .option("--exit-with-parent", "stop when standard input closes, as it does when the parent process dies")
    .option("--no-telemetry", "accepted for compatibility; there is no telemetry");
  command.action(async (options: ServerOptions) => serve(options, tokenOf(command)));
}

/** The longest a timer of the runtime can wait. */
const timer = wholeNumber(0, 2 ** 31 - 1);

async function serve(options: ServerOptions, token: string | null): Promise<void> {
  // The agents inherit this environment, and the token is none of their business.
  delete process.env.SANDBOX_AGENT_TOKEN;
  const stop = options.exitWithParent ? Promise.race([stopRequested(), standardInputClosed()]) : stopRequested();
  const { defaultOptions, runDaemon, startDaemon } = await import("@sandbox-agent/daemon");
  const daemonOptions = daemonOptionsOf(options, token, defaultOptions);
  const daemon = await startDaemon(daemonOptions);
  tell(banner(daemon.url, daemonOptions));
  if (token === null && !isLoopback(options.host))
    warn(`anybody who can reach ${daemon.url} can run commands on this machine; set --token`);
  if ((await runDaemon(daemon, stop)) === "stopped") return;
  throw new Failure("the server has stopped after an internal error; the last lines of its log name the cause");
}

function daemonOptionsOf(options: ServerOptions, token: string | null, defaults: DaemonOptions): DaemonOptions {
  return {
    host: options.host,
    port: options.port,
    token,
    dataDir: options.dataDir ?? defaults.dataDir,
    ephemeral: options.ephemeral ?? defaults.ephemeral,
    cors: {
      origins: options.corsAllowOrigin ?? [],
      methods: options.corsAllowMethod ?? [],
      headers: options.corsAllowHeader ?? [],
      credentials: options.corsAllowCredentials ?? false,
    },
    fsRoot: options.fsRoot ?? defaults.fsRoot,
    retainDays: options.retainDays ?? defaults.retainDays,
    retainEvents: options.retainEvents ?? defaults.retainEvents,
    turnStallMs: options.turnStallMs ?? defaults.turnStallMs,
    agentIdleMs: options.agentIdleMs ?? defaults.agentIdleMs,
    acpIdleMs: options.acpIdleMs ?? defaults.acpIdleMs,
    agentConfig: options.agentConfig ?? defaults.agentConfig,
    identity: identityOf(options),
  };
}

/** All three or none: a token for somebody else's service must not open this one. */
function identityOf(options: ServerOptions): DaemonOptions["identity"] {
  const { authJwks: jwks, authIssuer: issuer, authAudience: audience } = options;
  if (jwks === undefined && issuer === undefined && audience === undefined) return null;
  if (jwks === undefined || issuer === undefined || audience === undefined)
    throw usageError("--auth-jwks, --auth-issuer and --auth-audience belong together; give all three");
  return { jwks, issuer, audience, scopesClaim: options.authScopesClaim, sessionsClaim: options.authSessionsClaim };
}

/** The first line is a contract: scripts read the address from it. */
function banner(url: string, { token, ephemeral, dataDir }: DaemonOptions): string {
  const authorization = token === null ? "" : ' -H "Authorization: Bearer $SANDBOX_AGENT_TOKEN"';
  const post = (path: string, body: string) =>
    `${url}/v1/sessions/${path}${authorization} -H 'Content-Type: application/json' -d '${body}'`;
  return [
    `sandbox-agent ${version} listening on ${url}`,
    `Data       ${ephemeral ? "in memory, gone when the server stops" : dataDir}`,
    `Inspector  ${url}/ui/`,
    `API        ${url}/docs`,
    "Try it:",
    `  curl ${post("demo", '{"agent":"mock"}')}`,
    `  curl -N ${post("demo/messages/stream", '{"message":"hello"}')}`,
  ].join("\n");
}
