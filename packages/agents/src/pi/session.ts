/** A conversation with Pi: one process, which resumes the session by its id when it is restarted. */
import type { AgentSession, AgentSettings, SessionSpec, Sink, Turn } from "../agent.ts";
import type { AgentExit, Draft } from "../draft.ts";
import type { AgentEnvironment } from "../environment.ts";
import { inheritedVariables } from "../inherited-variables.ts";
import type { InstalledAgent } from "../install/installer.ts";
import { notice, unparsedLine } from "../item-drafts.ts";
import type { Incoming } from "../process/json-lines.ts";
import { createSessionProcess, type LiveProcess } from "../process/session-process.ts";
import { background } from "../tasks/background.ts";
import { CommandRejected, type Connection, connect } from "./connection.ts";
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
  type NativeReply,
  type PendingRequest,
  permissionReply,
  questionReply,
} from "./translate/requests.ts";
import { createTranslator } from "./translate/translator.ts";

interface Live extends LiveProcess {
  connection: Connection;
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
  /** The mode after an approved plan, until the settings change. */
  let afterPlan: GateMode | null = null;
  /** Aborts running calls of MCP tools. */
  let calls = new AbortController();
  let lastAccepted: Promise<unknown> = Promise.resolve();

  const driver = createSessionProcess<Live>(
    {
      id: "pi",
      turn,
      start,
      async prepare(message, { connection }) {
        const native = await nativePrompt(message, spec.directory);
        return () => {
          turn.send();
          background("prompt pi", prompt(connection, native), spec.sessionId);
        };
      },
      interrupt: ({ connection }) => interrupt(connection),
      isBusy: () => requests.size > 0,
    },
    { spec, sink, environment },
  );

  // ── Process ─────────────────────────────────────────────────────────────────────────────────────────────────────

  async function start(onExit: (exit: AgentExit) => void): Promise<Live> {
    const installed = await environment.installer.require("pi", spec.agentVersion);
    requireVersion(installed);
    const env = { ...environment.env, ...spec.env };
    const inherited = { ...inheritedVariables(environment), ...spec.env };
    const servers = await startServers(spec.mcp, {
      directory: spec.directory,
      env,
      inherited,
      owner: environment.owner,
    });
    try {
      const connection = launch(installed, servers, (exit) => {
        background("close the MCP servers of pi", servers.close(), spec.sessionId);
        onExit(exit);
      });
      const state = connection.request({ type: "get_state" });
      state.then((answer) => turn.usage.setContextWindow(State.parse(answer).model?.contextWindow)).catch(() => {});
      await driver.emit(servers.failed.map(serverFailed));
      const close = async (options: { busy: boolean }) => {
        await Promise.all([connection.close(options), servers.close()]);
      };
      return { connection, close };
    } catch (error) {
      await servers.close();
      throw error;
    }
  }

  function launch(installed: InstalledAgent, servers: McpServers, onExit: (exit: AgentExit) => void): Connection {
    const gate = afterPlan ?? gateMode(settings);
    const extension = extensionFile(environment.dataDir);
    const options = { extension, settings, gate, sessionId, skills: skillsFolder(spec) };
    translator.restarted();
    const connection = connect({
      command: [...installed.command, ...sessionArguments(options)],
      cwd: spec.directory,
      env: launchEnvironment(spec, installed, environment),
      setup: { mode: gate, providers: providersFor(spec, environment), tools: servers.tools },
      onMessages: async (messages) =>
        driver.emit(messages.flatMap((message) => translate({ connection, servers }, message))),
      onExit,
    });
    return connection;
  }

  // ── Messages of the agent ───────────────────────────────────────────────────────────────────────────────────────

  function translate(from: { connection: Connection; servers: McpServers }, message: Incoming): Draft[] {
    if ("invalid" in message) return [unparsedLine("pi.stdout", message.invalid)];
    const { connection, servers } = from;
    const mcp = mcpCall(message.value);
    if (mcp) {
      const result = servers.call(mcp.call, calls.signal);
      const answered = result.then((value) => respond(connection, mcp.id, { value: JSON.stringify(value) }));
      background("call an MCP tool for pi", answered, spec.sessionId);
      return [];
    }
    const wasRunning = turn.running;
    const drafts = translator.translate(message.value);
    if (turn.running) driver.acknowledge();
    // Pi ignores an abort that arrives before it has started the turn.
    if (driver.isAborting && turn.running && !wasRunning) interrupt(connection);
    return drafts;
  }

  // ── Turns ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Sends prompts one after the other: Pi treats a message that arrives while it prepares another one as a new run, which
   * fails. Once a message is accepted, Pi is working on it.
   */
  function accepted(connection: Connection, message: NativePrompt & { streamingBehavior?: "steer" }): Promise<unknown> {
    const answer = lastAccepted.then(() => connection.request({ type: "prompt", ...message }));
    lastAccepted = answer.catch(() => {});
    return answer;
  }

  /** Sends the message that opened the turn. The result arrives as messages, or as a rejection here. */
  async function prompt(connection: Connection, message: NativePrompt): Promise<void> {
    const { count } = turn;
    const isWaiting = () => turn.open && turn.count === count && !turn.running;
    try {
      await accepted(connection, message);
      if (!isWaiting()) return;
      // A command of an extension is done without the model, and then no message follows.
      const state = State.parse(await connection.request({ type: "get_state" }));
      if (isWaiting() && !state.isStreaming) await driver.emit(turn.onRejected(null, state));
    } catch (error) {
      // Other errors mean that Pi has exited, which is reported separately.
      if (error instanceof CommandRejected) await driver.emit(turn.onRejected(error.message, { error: error.message }));
    }
  }

  function interrupt(connection: Connection): void {
    turn.abort();
    calls.abort();
    calls = new AbortController();
    // The queue is cleared so that queued messages do not start another run.
    for (const type of ["clear_queue", "abort"]) connection.request({ type }).catch(() => {});
  }

  function respond(connection: Connection, id: string, answer: NativeReply): void {
    connection.write({ type: "extension_ui_response", id, ...answer });
  }

  function answer(id: string, reply: (pending: PendingRequest) => NativeReply): void {
    const pending = requests.get(id);
    if (!pending) return;
    requests.delete(id);
    const response = reply(pending);
    const { live } = driver;
    if (live) respond(live.connection, id, response);
  }

  // The start takes more than a second; starting now makes the first message faster.
  await driver.ensure();

  return {
    nativeSessionId: sessionId,
    send: driver.send,
    abort: driver.abort,
    close: driver.close,

    async steer(message: Turn) {
      const native = await nativePrompt(message, spec.directory);
      const { connection } = await driver.recipient();
      const steered = accepted(connection, { ...native, streamingBehavior: "steer" }).catch((error) => {
        if (error instanceof CommandRejected)
          return driver.emit([{ type: "error", error: errorData(error.message), synthetic: true }]);
      });
      background("steer pi", steered, spec.sessionId);
    },

    async replyPermission(id, reply) {
      answer(id, () => permissionReply(reply));
    },

    async replyQuestion(id, answers) {
      answer(id, (pending) => {
        if (pending.kind === "plan") afterPlan = approvedMode(answers, modeAfterPlan(settings)) ?? afterPlan;
        return questionReply(pending, answers, modeAfterPlan(settings));
      });
    },

    /** Pi stores settings that are changed at runtime as the user's defaults, so it is restarted instead. */
    async configure(next) {
      settings = next;
      afterPlan = null;
      await driver.stop();
    },
  };
}

function serverFailed({ name, cause }: McpServers["failed"][number]): Draft {
  return notice(`mcp:${name}`, { label: `MCP server ${name}`, detail: cause }, { name, cause });
}
