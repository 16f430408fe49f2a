/**
 * A conversation with Claude Code: one process that lives as long as there is something to do, closed when idle and
 * started again on the same conversation with the next message.
 */
import { ProblemError } from "@sandbox-agent/schema";
import * as z from "zod";
import type { AgentSession, AgentSettings, SessionSpec, Sink, Turn } from "../agent.ts";
import type { AgentExit, Draft } from "../draft.ts";
import type { AgentEnvironment } from "../environment.ts";
import { idleTimer } from "../process/idle-timer.ts";
import type { Incoming } from "../process/json-lines.ts";
import { type Connection, connect } from "./connection.ts";
import { credentialFor } from "./credential.ts";
import { type NativeUserMessage, userMessage } from "./input.ts";
import { launchEnvironment, mayBypass, sessionArguments } from "./launch.ts";
import { nativeServers } from "./mcp.ts";
import { mainAgent, modeAfterPlan, nativePermissionMode } from "./modes.ts";
import { hasTranscript } from "./transcript.ts";
import { allowedTools, permissionReply, questionReply } from "./translate/replies.ts";
import { tagOf } from "./translate/tag.ts";
import { createTranslator, unparsed } from "./translate/translator.ts";

/** How long a first message waits for MCP servers that do not come up. */
const serversReadyMs = 10_000;

const ServerErrors = z.object({ errors: z.record(z.string(), z.unknown()).catch({}) });

interface Running {
  connection: Connection;
  /** Resolves when the servers of the session are there, or it is clear that they will not be. */
  ready: Promise<void>;
}

function requireBypass({ permissionMode }: AgentSettings, env: Readonly<Record<string, string | undefined>>): void {
  if (permissionMode !== "bypass" || mayBypass(env)) return;
  throw new ProblemError(
    "mode_not_supported",
    "Claude Code refuses to bypass permissions for root; run the daemon as another user, or set IS_SANDBOX=1 in its environment if this is a sandbox",
    { agent: "claude", details: { mode: permissionMode } },
  );
}

export async function openClaudeSession(
  spec: SessionSpec,
  sink: Sink,
  environment: AgentEnvironment,
): Promise<AgentSession> {
  requireBypass(spec, { ...environment.env, ...spec.env });
  const credential = credentialFor(spec, environment);
  const firstId = spec.nativeSessionId ?? crypto.randomUUID();
  const translator = createTranslator({ nativeSessionId: firstId, isLogin: credential?.kind === "login" });
  const { turn, requests } = translator;
  const grants = new Set<string>();
  let settings: AgentSettings = spec;
  let running: Promise<Running> | null = null;
  let live: Connection | null = null;
  const idle = idleTimer(environment.idleMs, isResting, stop);
  let isClosed = false;
  let isAborting = false;
  let isSending = false;
  /** The message of a turn that a process used before has been given but has not begun to work on. */
  let unheard: NativeUserMessage | null = null;

  // ── Process ─────────────────────────────────────────────────────────────────────────────────────────────────────

  function ensureRunning(): Promise<Running> {
    running ??= start().catch((error) => {
      running = null;
      throw error;
    });
    return running;
  }

  async function start(): Promise<Running> {
    if (isClosed) throw new Error("the session was closed");
    const installed = await environment.installer.require("claude", spec.agentVersion);
    const env = launchEnvironment(spec, installed, credential, environment);
    const sessionId = translator.nativeSessionId ?? firstId;
    const resume = await hasTranscript(sessionId, env);
    const permissionMode = translator.permissionMode ?? nativePermissionMode(settings);
    const rights = { allowedTools: [...grants], mayBypass: mayBypass({ ...environment.env, ...spec.env }) };
    const options = { settings, permissionMode, sessionId, resume, ...rights };
    translator.restarted();
    const connection = connect({
      command: [...installed.command, ...sessionArguments(options)],
      cwd: spec.directory,
      env,
      credential,
      onMessages: (messages) => accept(connection, messages),
      onExit: (exit) => {
        if (live === connection) running = null;
        void left(exit);
      },
    });
    live = connection;
    connection.initialize({ forwardSubagentText: true }).catch(() => {});
    return { connection, ready: startServers(connection, { ...environment.env, ...spec.env }) };
  }

  async function startServers(connection: Connection, env: Readonly<Record<string, string | undefined>>) {
    const servers = nativeServers(spec.mcp, env);
    if (Object.keys(servers).length === 0) return;
    const asked = connection.request({ subtype: "mcp_set_servers", servers }).then(reportServers, () => {});
    await Promise.race([asked, Bun.sleep(serversReadyMs)]);
  }

  async function reportServers(answer: unknown): Promise<void> {
    const failed = Object.entries(ServerErrors.parse(answer).errors);
    const drafts = failed.flatMap(([name, cause]) => translator.serverFailed(name, String(cause), { name, cause }));
    if (drafts.length > 0) await sink.emit(drafts);
  }

  /** In the middle of a turn that is the end of it; at rest the next message starts another process. */
  async function left(exit: AgentExit): Promise<void> {
    environment.log("claude exited", { sessionId: spec.sessionId, message: exit.message });
    if (isClosed || !turn.open) return;
    const again = turn.running ? null : unheard;
    unheard = null;
    // It died at rest, and the message came before the news of it.
    if (again) return (await readyConnection()).write(again);
    turn.close();
    await sink.emit([{ type: "agent.exited", exit }]);
  }

  async function stop(): Promise<void> {
    const stopped = running;
    running = null;
    const busy = turn.open;
    await (await stopped?.catch(() => null))?.connection.close({ busy });
  }

  // ── Messages of the agent ───────────────────────────────────────────────────────────────────────────────────────

  async function accept(connection: Connection, messages: readonly Incoming[]): Promise<void> {
    const drafts = messages.flatMap((message) => translate(connection, message));
    if (drafts.length > 0) await sink.emit(drafts);
    idle.restart();
  }

  function translate(connection: Connection, message: Incoming): Draft[] {
    if ("garbage" in message) return [unparsed("not a line of JSON", message.garbage.slice(0, 10_000))];
    const wasRunning = turn.running;
    const wasRefused = turn.refused;
    const drafts = translator.translate(message.value);
    refuseUnknown(connection, message.value);
    // An interrupt that comes before the agent has begun is lost.
    const isDue = isAborting && turn.running && !wasRunning;
    if (isDue || (turn.refused && !wasRefused)) interrupt(connection);
    if (!turn.open) isAborting = false;
    return drafts;
  }

  /** The agent waits for every answer; one we cannot give must not hang its turn. */
  function refuseUnknown(connection: Connection, value: unknown): void {
    const id = tagOf(value) === "control_request" ? requestId(value) : null;
    if (id !== null && !requests.has(id)) connection.refuse(id, "this host does not answer such requests");
  }

  function interrupt(connection: Connection): void {
    connection.request({ subtype: "interrupt" }).catch(() => {});
  }

  /** Whether nothing runs in the process. */
  function isResting(): boolean {
    return !turn.open && !isSending && !translator.tasks.busy && requests.size === 0;
  }

  // ── The session ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** Gives the agent a message, unless `begin` finds that it is no longer wanted. */
  async function hand(message: Turn, begin: (uuid: string) => boolean): Promise<void> {
    const uuid = crypto.randomUUID();
    const native = await userMessage(message, uuid, spec.directory);
    const connection = await readyConnection();
    if (!begin(uuid)) return;
    unheard = translator.hasSpoken ? native : null;
    connection.write(native);
  }

  /** A process that ended while its servers were starting is replaced once. */
  async function readyConnection(): Promise<Connection> {
    const { connection, ready } = await ensureRunning();
    await ready;
    return connection.isGone ? (await ensureRunning()).connection : connection;
  }

  function answer(id: string, response: (pending: NonNullable<ReturnType<typeof requests.get>>) => object): void {
    const pending = requests.get(id);
    if (!pending) return;
    requests.delete(id);
    const reply = { ...response(pending) };
    void running?.then(({ connection }) => connection.respond(id, reply));
  }

  // The start takes most of a second: it is over, or nearly, when the first message comes.
  await ensureRunning();

  return {
    get nativeSessionId() {
      return translator.nativeSessionId;
    },

    async send(message) {
      isSending = true;
      isAborting = false;
      try {
        await hand(message, (uuid) => {
          if (!isAborting) turn.send(uuid);
          return !isAborting;
        });
        if (isAborting && !turn.open) await sink.emit([{ type: "turn.ended", reason: "aborted", synthetic: true }]);
      } finally {
        isSending = false;
      }
    },

    steer(message) {
      return hand(message, (uuid) => {
        turn.steer(uuid);
        return true;
      });
    },

    async abort() {
      if (!turn.open && !isSending) return;
      isAborting = true;
      const { connection } = await ensureRunning();
      for (const message_uuid of turn.unread)
        connection.request({ subtype: "cancel_async_message", message_uuid }).catch(() => {});
      if (turn.running) interrupt(connection);
    },

    async replyPermission(id, reply) {
      answer(id, (pending) => {
        if (pending.kind !== "permission") return { behavior: "deny", message: "This is a question." };
        const result = permissionReply(pending.request, reply);
        for (const rule of allowedTools(result)) grants.add(rule);
        return result;
      });
    },

    async replyQuestion(id, answers) {
      answer(id, (pending) =>
        pending.kind === "permission"
          ? permissionReply(pending.request, answers ? "once" : "reject")
          : questionReply(pending, answers, modeAfterPlan(settings)),
      );
    },

    async configure(next) {
      const before = settings;
      settings = next;
      translator.setPermissionMode(nativePermissionMode(next));
      const needsRestart = mainAgent(next) !== mainAgent(before) || (before.variant !== null && next.variant === null);
      if (!running || needsRestart) return stop();
      const { connection } = await running;
      if (next.model !== before.model) await connection.request({ subtype: "set_model", model: next.model });
      if (next.variant !== before.variant)
        await connection.request({ subtype: "apply_flag_settings", settings: { effortLevel: next.variant } });
      if (nativePermissionMode(next) !== nativePermissionMode(before))
        await connection.request({ subtype: "set_permission_mode", mode: nativePermissionMode(next) });
    },

    async close() {
      isClosed = true;
      idle.end();
      await stop();
    },
  };
}

function requestId(value: unknown): string | null {
  return typeof value === "object" && value !== null && "request_id" in value && typeof value.request_id === "string"
    ? value.request_id
    : null;
}
