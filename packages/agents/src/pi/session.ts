/**
 * A conversation with Pi: one process that lives as long as there is something to do, closed when idle and started again
 * on the same conversation with the next message.
 */
import type { AgentSession, AgentSettings, SessionSpec, Sink, Turn } from "../agent.ts";
import type { AgentExit, Draft } from "../draft.ts";
import type { AgentEnvironment } from "../environment.ts";
import type { InstalledAgent } from "../install/installer.ts";
import { notice } from "../item-drafts.ts";
import { idleTimer } from "../process/idle-timer.ts";
import type { Incoming } from "../process/json-lines.ts";
import { type Connection, connect, Refusal } from "./connection.ts";
import { providersFor } from "./credential.ts";
import type { GateMode } from "./extension.ts";
import { extensionFile } from "./extension-file.ts";
import { type NativePrompt, nativePrompt } from "./input.ts";
import { launchEnvironment, requireVersion, sessionArguments, skillsFolder } from "./launch.ts";
import { type McpServers, startServers } from "./mcp.ts";
import { gateMode, modeAfterPlan } from "./modes.ts";
import { State } from "./native.ts";
import { errorData } from "./translate/errors.ts";
import {
  approvedMode,
  mcpCall,
  type NativeAnswer,
  type PendingRequest,
  permissionAnswer,
  questionAnswer,
} from "./translate/requests.ts";
import { createTranslator, unparsed } from "./translate/translator.ts";

interface Running {
  connection: Connection;
  servers: McpServers;
}

export async function openPiSession(
  spec: SessionSpec,
  sink: Sink,
  environment: AgentEnvironment,
): Promise<AgentSession> {
  const sessionId = spec.nativeSessionId ?? crypto.randomUUID();
  const translator = createTranslator({ directory: spec.directory });
  const { turn, requests } = translator;
  let settings: AgentSettings = spec;
  /** The mode an approved plan is carried out in, until the settings change. */
  let afterPlan: GateMode | null = null;
  let running: Promise<Running> | null = null;
  const idle = idleTimer(environment.idleMs, isResting, stop);
  let isClosed = false;
  let isAborting = false;
  let isSending = false;
  /** The message of a turn that a process used before has been given but has not begun to work on. */
  let unheard: NativePrompt | null = null;
  /** Ends the calls of MCP tools. */
  let calls = new AbortController();
  let lastAccepted: Promise<unknown> = Promise.resolve();

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
    const installed = await environment.installer.require("pi", spec.agentVersion);
    requireVersion(installed);
    const env = { ...environment.env, ...spec.env };
    const servers = await startServers(spec.mcp, { directory: spec.directory, env, owner: environment.owner });
    try {
      const connection = launch(installed, servers);
      const state = connection.request({ type: "get_state" });
      state.then((answer) => turn.usage.window(State.parse(answer).model?.contextWindow)).catch(() => {});
      if (servers.failed.length > 0) await sink.emit(servers.failed.map(serverFailed));
      return { connection, servers };
    } catch (error) {
      await servers.close();
      throw error;
    }
  }

  function launch(installed: InstalledAgent, servers: McpServers): Connection {
    const gate = afterPlan ?? gateMode(settings);
    const extension = extensionFile(environment.dataDir);
    const options = { extension, settings, gate, sessionId, skills: skillsFolder(spec) };
    translator.restarted();
    const connection = connect({
      command: [...installed.command, ...sessionArguments(options)],
      cwd: spec.directory,
      env: launchEnvironment(spec, installed, environment),
      setup: { mode: gate, providers: providersFor(spec, environment), tools: servers.tools },
      onMessages: (messages) => accept({ connection, servers }, messages),
      onExit: (exit) => {
        running = null;
        void servers.close();
        void left(exit);
      },
    });
    return connection;
  }

  /** In the middle of a turn that is the end of it; at rest the next message starts another process. */
  async function left(exit: AgentExit): Promise<void> {
    environment.log("pi exited", { sessionId: spec.sessionId, message: exit.message });
    if (isClosed || !turn.open) return;
    const again = turn.running ? null : unheard;
    unheard = null;
    // It died at rest, and the message came before the news of it.
    if (again) return prompt((await ensureRunning()).connection, again);
    turn.close();
    await sink.emit([{ type: "agent.exited", exit }]);
  }

  async function stop(): Promise<void> {
    const stopped = running;
    running = null;
    const busy = turn.open;
    const ended = await stopped?.catch(() => null);
    await Promise.all([ended?.connection.close({ busy }), ended?.servers.close()]);
  }

  // ── Messages of the agent ───────────────────────────────────────────────────────────────────────────────────────

  async function accept(from: Running, messages: readonly Incoming[]): Promise<void> {
    const drafts = messages.flatMap((message) => translate(from, message));
    if (drafts.length > 0) await sink.emit(drafts);
    idle.restart();
  }

  function translate({ connection, servers }: Running, message: Incoming): Draft[] {
    if ("garbage" in message) return [unparsed("not a line of JSON", message.garbage.slice(0, 10_000))];
    const asked = mcpCall(message.value);
    if (asked) {
      const result = servers.call(asked.call, calls.signal);
      void result.then((value) => respond(connection, asked.id, { value: JSON.stringify(value) }));
      return [];
    }
    const wasRunning = turn.running;
    const drafts = translator.translate(message.value);
    if (turn.running) unheard = null;
    // An abort that comes before the agent has begun is lost.
    if (isAborting && turn.running && !wasRunning) void abortRun();
    return drafts;
  }

  /** Whether nothing runs in the process. */
  function isResting(): boolean {
    return !turn.open && !isSending && requests.size === 0;
  }

  // ── Turns ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Pi takes a message that comes while it prepares another one for a new run, which then fails: one after the other.
   * Once a message is accepted, Pi is working on it.
   */
  function accepted(connection: Connection, message: NativePrompt & { streamingBehavior?: "steer" }): Promise<unknown> {
    const answer = lastAccepted.then(() => connection.request({ type: "prompt", ...message }));
    lastAccepted = answer.catch(() => {});
    return answer;
  }

  /** Hands over the message that has opened the turn. What Pi makes of it arrives as messages, or as a refusal here. */
  async function prompt(connection: Connection, message: NativePrompt): Promise<void> {
    const { count } = turn;
    const isWaiting = () => turn.open && turn.count === count && !turn.running;
    try {
      await accepted(connection, message);
      if (!isWaiting()) return;
      // A command of an extension does its work without the model, and then nothing follows.
      const state = State.parse(await connection.request({ type: "get_state" }));
      if (isWaiting() && !state.isStreaming) await sink.emit(turn.refused(null, state));
    } catch (error) {
      // When Pi has ended, its exit says so.
      if (error instanceof Refusal) await sink.emit(turn.refused(error.message, { error: error.message }));
    }
  }

  async function abortRun(): Promise<void> {
    turn.abort();
    calls.abort();
    calls = new AbortController();
    const current = await running;
    // Messages that were sent meanwhile are not to start another run.
    for (const type of ["clear_queue", "abort"]) current?.connection.request({ type }).catch(() => {});
  }

  function respond(connection: Connection, id: string, answer: NativeAnswer): void {
    connection.write({ type: "extension_ui_response", id, ...answer });
  }

  function answer(id: string, reply: (pending: PendingRequest) => NativeAnswer): void {
    const pending = requests.get(id);
    if (!pending) return;
    requests.delete(id);
    const response = reply(pending);
    void running?.then(({ connection }) => respond(connection, id, response));
  }

  // The start takes more than a second: it is over, or nearly, when the first message comes.
  await ensureRunning();

  return {
    nativeSessionId: sessionId,

    async send(message: Turn) {
      isSending = true;
      isAborting = false;
      try {
        const native = await nativePrompt(message, spec.directory);
        const wasRunning = running !== null;
        const { connection } = await ensureRunning();
        if (isAborting) return await sink.emit([{ type: "turn.ended", reason: "aborted", synthetic: true }]);
        turn.send();
        unheard = wasRunning ? native : null;
        void prompt(connection, native);
      } finally {
        isSending = false;
      }
    },

    async steer(message: Turn) {
      const native = await nativePrompt(message, spec.directory);
      const { connection } = await ensureRunning();
      accepted(connection, { ...native, streamingBehavior: "steer" }).catch((error) => {
        if (error instanceof Refusal)
          void sink.emit([{ type: "error", error: errorData(error.message), synthetic: true }]);
      });
    },

    async abort() {
      if (!turn.open && !isSending) return;
      isAborting = true;
      if (turn.open) await abortRun();
    },

    async replyPermission(id, reply) {
      answer(id, () => permissionAnswer(reply));
    },

    async replyQuestion(id, answers) {
      answer(id, (pending) => {
        if (pending.kind === "plan") afterPlan = approvedMode(answers, modeAfterPlan(settings)) ?? afterPlan;
        return questionAnswer(pending, answers, modeAfterPlan(settings));
      });
    },

    /** Pi keeps what it is told while it runs as the user's defaults, so it is started anew instead. */
    async configure(next) {
      settings = next;
      afterPlan = null;
      await stop();
    },

    async close() {
      isClosed = true;
      idle.end();
      await stop();
    },
  };
}

function serverFailed({ name, cause }: McpServers["failed"][number]): Draft {
  return notice(`mcp:${name}`, { label: `MCP server ${name}`, detail: cause }, { name, cause });
}
