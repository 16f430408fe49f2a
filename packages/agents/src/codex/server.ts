/**
 * A running app-server: the process, the handshake, and the routing of messages to sessions. Subagents run on threads that
 * are not announced, so Codex is queried for the parent of an unknown thread.
 */
import { mkdir } from "node:fs/promises";
import { ProblemError } from "@sandbox-agent/schema";
import * as z from "zod";
import packageJson from "../../package.json" with { type: "json" };
import type { AgentExit } from "../draft.ts";
import { startAgentProcess } from "../process/agent-process.ts";
import { JsonRpc, type RpcId } from "../process/json-rpc.ts";
import type { RunningServer } from "../process/leased-server.ts";
import { exitWithoutSecrets, withoutSecrets } from "../process/secrets.ts";
import { within } from "../tasks/within.ts";
import { CommandExecResponse, GetAccountResponse } from "./generated/protocol.ts";
import type { Launch } from "./launch.ts";
import { createRouter, type ThreadListener } from "./router.ts";

export interface CodexServer extends RunningServer {
  /** Unique per run of the server. */
  readonly id: string;
  /** Whether commands can run in Codex's sandbox on this machine. */
  readonly sandboxWorks: boolean;
  request<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<T>;
  respond(id: RpcId, result: unknown): void;
  reject(id: RpcId): void;
  /** Whether there is a login or a key, or no need for one. */
  hasAccount(): Promise<boolean>;
  attach(threadId: string, listener: ThreadListener): void;
  detach(threadId: string): void;
}

export interface ServerEvents {
  log(message: string, fields?: Record<string, unknown>): void;
  /** The process has exited on its own, after the start. */
  onExit(exit: AgentExit): void;
}

const startTimeoutMs = 30_000;
const methodNotFound = -32601;

/** Throws ProblemError if the server does not start. */
export async function startServer(launch: Launch, { log, onExit }: ServerEvents): Promise<CodexServer> {
  await mkdir(launch.codexHome, { recursive: true, mode: 0o700 });
  const secrets = launch.apiKey && launch.apiKey.length >= 8 ? [launch.apiKey] : [];
  const gone = Promise.withResolvers<never>();
  gone.promise.catch(() => {});
  let isUp = false;

  const router = createRouter({
    parentOf: async (threadId) =>
      (await request("thread/read", { threadId }, ThreadOwner)).thread.parentThreadId ?? null,
    log,
  });
  const rpc = new JsonRpc({
    withVersion: false,
    write: (line) => child.writeLine(line),
    onNotification: (message) => router.notification(message),
    onRequest: (id, message) => router.request(id, message, () => reject(id)),
    onInvalid: (line, error) => router.invalid(line, error),
  });
  const child = startAgentProcess("codex", {
    command: launch.command,
    cwd: launch.codexHome,
    env: launch.env,
    onLines: (lines) => rpc.receive(lines.map((line) => withoutSecrets(line, secrets))),
    onExit: (exit) => onProcessExit(exitWithoutSecrets(exit, secrets)),
  });

  function onProcessExit(exit: AgentExit): void {
    rpc.close(exit.message);
    gone.reject(notStarted(exit.message, exit));
    if (isUp) onExit(exit);
  }

  function reject(id: RpcId): void {
    rpc.respondError(id, methodNotFound, "this client cannot answer the request");
  }

  async function request<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<T> {
    return result.parse(await rpc.request(method, params));
  }

  async function handshake(): Promise<boolean> {
    await rpc.request("initialize", {
      clientInfo: { name: "sandbox-agent", title: null, version: packageJson.version },
      capabilities: { experimentalApi: true, requestAttestation: false, optOutNotificationMethods: unwanted },
    });
    rpc.notify("initialized");
    if (launch.apiKey !== null) await rpc.request("account/login/start", { type: "apiKey", apiKey: launch.apiKey });
    return sandboxWorks();
  }

  /** Most containers do not allow a sandbox; every sandboxed command would then fail. */
  async function sandboxWorks(): Promise<boolean> {
    const probe = { command: ["true"], cwd: "/", sandboxPolicy: { type: "readOnly", networkAccess: false } };
    const { exitCode } = await request("command/exec", probe, CommandExecResponse).catch(() => ({ exitCode: 1 }));
    return exitCode === 0;
  }

  try {
    const hasSandbox = await within(startTimeoutMs, Promise.race([handshake(), gone.promise]), () => {
      throw notStarted(`no answer within ${startTimeoutMs} ms`);
    });
    isUp = true;
    return {
      id: `codex-${Bun.randomUUIDv7()}`,
      pid: child.pid,
      sandboxWorks: hasSandbox,
      request,
      respond: (id, result) => rpc.respond(id, result),
      reject,
      async hasAccount() {
        const { account, requiresOpenaiAuth } = await request("account/read", {}, GetAccountResponse);
        return !requiresOpenaiAuth || (account ?? null) !== null;
      },
      attach: router.attach,
      detach: router.detach,
      async close() {
        rpc.close("the Codex server was closed");
        await child.close();
      },
    };
  } catch (error) {
    child.kill();
    throw error instanceof ProblemError ? error : notStarted(error instanceof Error ? error.message : String(error));
  }
}

const ThreadOwner = z.object({ thread: z.object({ parentThreadId: z.string().nullish() }) });

const unwanted = [
  "account/rateLimits/updated",
  "remoteControl/status/changed",
  "thread/readState/changed",
  "turn/diff/updated",
];

function notStarted(cause: string, exit?: AgentExit): ProblemError {
  const details = exit && { exitCode: exit.code, stderr: exit.stderr };
  return new ProblemError("agent_process_exited", `the Codex server did not start: ${cause}`, {
    agent: "codex",
    ...(details && { details }),
  });
}
