/**
 * A running ACP agent: the process, the handshake, requests with a time limit. Messages that arrive before the session is
 * open are queued.
 */
import type { InitializeRequest } from "@agentclientprotocol/sdk";
import { ProblemError } from "@sandbox-agent/schema";
import packageJson from "../../package.json" with { type: "json" };
import type { AgentExit } from "../draft.ts";
import { startAgentProcess } from "../process/agent-process.ts";
import { JsonRpc, RpcError, type RpcId, type RpcMessage } from "../process/json-rpc.ts";
import { withoutSecrets } from "../process/secrets.ts";
import { exitProblem } from "../process/session-process.ts";
import { background } from "../tasks/background.ts";
import { within } from "../tasks/within.ts";
import type { Launch } from "./launch.ts";
import { type AgentAbilities, InitializeResult, readOnce } from "./native.ts";
import { authRequiredCode } from "./translate/errors.ts";

/** `line` is the message as it was received. */
export interface Listener {
  notification(message: RpcMessage, line: string): Promise<void> | void;
  request(id: RpcId, message: RpcMessage, line: string): Promise<void> | void;
  /** A line that is not a JSON-RPC message. */
  invalid(line: string, error: string): Promise<void> | void;
}

export interface Connection {
  /** Identifies this run of the process. Part of the ids that we create, because the agent's own start at 0 in each run. */
  readonly runId: string;
  /** The capabilities that the agent reported in `initialize`. */
  readonly abilities: AgentAbilities;
  /** Whether a message can be sent to a running turn. */
  readonly canSteer: boolean;
  /** Whether the process has exited or the connection was closed. */
  readonly isGone: boolean;
  /** A request with a time limit. Throws ProblemError when it is exceeded. */
  request(method: string, params: unknown): Promise<unknown>;
  /** A prompt has no time limit. */
  prompt(params: unknown): Promise<unknown>;
  notify(method: string, params: unknown): void;
  respond(id: RpcId, result: unknown): void;
  reject(id: RpcId, code: number, message: string): void;
  /** Delivers the queued messages that `filter` accepts, then every message that follows. */
  attach(listener: Listener, filter?: (message: RpcMessage) => boolean): void;
  /** Stops the process. */
  close(options?: { graceMs?: number }): Promise<void>;
}

/** Time limits. A start may take long: some agents download parts of themselves first. */
export interface Limits {
  startMs: number;
  requestMs: number;
}

export const defaultLimits: Limits = { startMs: 60_000, requestMs: 60_000 };

export const methodNotFound = -32601;
const protocolVersion = 1;

/** Up to this many lines that are not messages are ignored before the handshake. */
const maxInvalidLines = 1000;
/** Up to this many messages are queued before the session is open. */
const maxQueued = 10_000;

const initialize: InitializeRequest = {
  protocolVersion,
  clientInfo: { name: "sandbox-agent", version: packageJson.version },
  // No file and terminal capabilities: the agent runs on the same machine and uses its files and terminals directly.
  clientCapabilities: {
    elicitation: { form: {} },
    session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
    _meta: { terminal_output: true, "subagent-transcript": true },
  },
};

/** A message that is queued until a listener is attached. */
type Delivery = { message: RpcMessage; deliver(listener: Listener): Promise<void> | void };

/** Throws ProblemError if the agent does not start or is not an ACP agent. */
export async function connect(
  launch: Launch,
  onExit: (exit: AgentExit) => void,
  limits: Limits = defaultLimits,
): Promise<Connection> {
  const { agent } = launch;
  const redact = (text: string) => withoutSecrets(text, launch.secrets);
  const gone = Promise.withResolvers<never>();
  gone.promise.catch(() => {});
  let listener: Listener | null = null;
  let queued: Delivery[] = [];
  let invalidLines = 0;
  let isReady = false;
  let isGone = false;

  const rpc = new JsonRpc({
    withVersion: true,
    write: (line) => child.writeLine(line),
    onNotification: (message, line) =>
      listener
        ? listener.notification(message, line)
        : enqueue({ message, deliver: (to) => to.notification(message, line) }),
    onRequest: (id, message, line) =>
      listener
        ? listener.request(id, message, line)
        : enqueue({ message, deliver: (to) => to.request(id, message, line) }),
    onInvalid(line, error) {
      invalidLines += 1;
      if (isReady) return listener?.invalid(line, error);
      if (invalidLines > maxInvalidLines)
        gone.reject(notAcp(agent, `it wrote ${invalidLines} lines that are not JSON-RPC messages`, line));
    },
  });

  function enqueue(delivery: Delivery): void {
    queued.push(delivery);
    if (queued.length > maxQueued)
      gone.reject(notAcp(agent, `it sent ${queued.length} messages before the session was open`, ""));
  }

  const child = startAgentProcess(agent, {
    command: launch.command,
    cwd: launch.cwd,
    env: launch.env,
    onLines: (lines) => (isGone ? undefined : rpc.receive(launch.secrets.length > 0 ? lines.map(redact) : lines)),
    onExit(exit) {
      isGone = true;
      const redacted = { ...exit, message: redact(exit.message) };
      // First `gone`, then `rpc`, so that pending requests fail with the cause of the exit.
      gone.reject(exitProblem(agent, redacted));
      rpc.close(redacted.message);
      if (isReady) onExit(redacted);
    },
  });

  async function request(method: string, params: unknown, limitMs = limits.requestMs): Promise<unknown> {
    return within(limitMs, Promise.race([rpc.request(method, params), gone.promise]), () => {
      throw timeoutProblem(agent, method, limitMs);
    });
  }

  async function handshake(): Promise<InitializeResult> {
    const answer = await request("initialize", initialize, limits.startMs).catch((error) => {
      throw error instanceof RpcError ? notAcp(agent, "it rejected `initialize`", error.message) : error;
    });
    const parsed = InitializeResult().safeParse(answer, readOnce);
    if (!parsed.success) throw notAcp(agent, "its response to `initialize` has no protocol version", "");
    if (parsed.data.protocolVersion !== protocolVersion)
      throw notAcp(agent, `it uses protocol version ${parsed.data.protocolVersion}, not ${protocolVersion}`, "");
    return parsed.data;
  }

  /** Every error reply to `authenticate` is treated as "authentication required", whatever its code. */
  async function authenticate(methodId: string): Promise<void> {
    await request("authenticate", { methodId }).catch((error) => {
      throw error instanceof RpcError ? new RpcError(authRequiredCode, error.title, error.data) : error;
    });
  }

  try {
    const { agentCapabilities, _meta } = await handshake();
    if (launch.authMethod !== null) await authenticate(launch.authMethod);
    isReady = true;
    return {
      runId: Bun.randomUUIDv7().slice(-8),
      abilities: agentCapabilities,
      canSteer: _meta?.steering?.supported ?? false,
      get isGone() {
        return isGone;
      },
      request: (method, params) => request(method, params),
      prompt: (params) => rpc.request("session/prompt", params),
      notify: (method, params) => rpc.notify(method, params),
      respond: (id, result) => rpc.respond(id, result),
      reject: (id, code, message) => rpc.respondError(id, code, message),
      attach(to, filter = () => true) {
        const accepted = queued.filter(({ message }) => filter(message));
        queued = [];
        listener = to;
        for (const { deliver } of accepted) background(`read queued messages of ${agent}`, deliver(to));
      },
      async close({ graceMs = 3000 } = {}) {
        isGone = true;
        rpc.close(`${agent} was closed`);
        await child.close(graceMs);
      },
    };
  } catch (error) {
    isGone = true;
    child.kill();
    throw error;
  }
}

function notAcp(agent: string, cause: string, sample: string): ProblemError {
  return new ProblemError(
    "stream_error",
    `${agent} does not behave like an ACP agent: ${cause}; check its command and arguments`,
    { agent, ...(sample && { details: { sample: sample.slice(0, 500) } }) },
  );
}

function timeoutProblem(agent: string, method: string, limitMs: number): ProblemError {
  return new ProblemError("timeout", `${agent} did not answer \`${method}\` within ${limitMs} ms`, { agent });
}
