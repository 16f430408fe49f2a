/** A conversation with Pi: a process of its own, which takes up the session of that id whenever it is started again. */
import type { AgentSession, AgentSettings, SessionSpec, Sink, Turn } from "../agent.ts";
import type { AgentExit, Draft } from "../draft.ts";
import type { AgentEnvironment } from "../environment.ts";
import { inheritedVariables } from "../inherited-variables.ts";
import type { InstalledAgent } from "../install/installer.ts";
import { notice, unparsedLine } from "../item-drafts.ts";
import type { Incoming } from "../process/json-lines.ts";
import { createSessionProcess, type LiveProcess } from "../process/session-process.ts";
import { background } from "../tasks/background.ts";
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
  /** The mode an approved plan is carried out in, until the settings change. */
  let afterPlan: GateMode | null = null;
  /** Ends the calls of MCP tools. */
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
      state.then((answer) => turn.usage.window(State.parse(answer).model?.contextWindow)).catch(() => {});
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
    if ("garbage" in message) return [unparsedLine("pi.stdout", message.garbage)];
    const { connection, servers } = from;
    const asked = mcpCall(message.value);
    if (asked) {
      const result = servers.call(asked.call, calls.signal);
      const answered = result.then((value) => respond(connection, asked.id, { value: JSON.stringify(value) }));
      background("call an MCP tool for pi", answered, spec.sessionId);
      return [];
    }
    const wasRunning = turn.running;
    const drafts = translator.translate(message.value);
    if (turn.running) driver.heard();
    // An abort that comes before the agent has begun is lost.
    if (driver.isAborting && turn.running && !wasRunning) interrupt(connection);
    return drafts;
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
      if (isWaiting() && !state.isStreaming) await driver.emit(turn.refused(null, state));
    } catch (error) {
      // When Pi has ended, its exit says so.
      if (error instanceof Refusal) await driver.emit(turn.refused(error.message, { error: error.message }));
    }
  }

  function interrupt(connection: Connection): void {
    turn.abort();
    calls.abort();
    calls = new AbortController();
    // Messages that were sent meanwhile are not to start another run.
    for (const type of ["clear_queue", "abort"]) connection.request({ type }).catch(() => {});
  }

  function respond(connection: Connection, id: string, answer: NativeAnswer): void {
    connection.write({ type: "extension_ui_response", id, ...answer });
  }

  function answer(id: string, reply: (pending: PendingRequest) => NativeAnswer): void {
    const pending = requests.get(id);
    if (!pending) return;
    requests.delete(id);
    const response = reply(pending);
    const { live } = driver;
    if (live) respond(live.connection, id, response);
  }

  // The start takes more than a second: it is over, or nearly, when the first message comes.
  await driver.ensure();

  return {
    nativeSessionId: sessionId,
    send: driver.send,
    abort: driver.abort,
    close: driver.close,

    async steer(message: Turn) {
      const native = await nativePrompt(message, spec.directory);
      const { connection } = await driver.recipient();
      const refused = accepted(connection, { ...native, streamingBehavior: "steer" }).catch((error) => {
        if (error instanceof Refusal)
          return driver.emit([{ type: "error", error: errorData(error.message), synthetic: true }]);
      });
      background("steer pi", refused, spec.sessionId);
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
      await driver.stop();
    },
  };
}

function serverFailed({ name, cause }: McpServers["failed"][number]): Draft {
  return notice(`mcp:${name}`, { label: `MCP server ${name}`, detail: cause }, { name, cause });
}
