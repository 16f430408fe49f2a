/**
 * A conversation with an ACP agent. Each has its own process, because most agents cannot close a session: only stopping the
 * process stops the tools and servers of the session, or a turn that hangs.
 */
import type { ContentBlock } from "@agentclientprotocol/sdk";
import { ProblemError } from "@sandbox-agent/schema";
import type { AgentSession, AgentSettings, SessionSpec, Sink, Turn } from "../agent.ts";
import { type AgentExit, type Draft, NativeText } from "../draft.ts";
import type { AgentEnvironment } from "../environment.ts";
import { unparsed } from "../item-drafts.ts";
import { RpcError, type RpcMessage } from "../process/json-rpc.ts";
import { createSessionProcess, type LiveProcess, MessageRejected } from "../process/session-process.ts";
import { background } from "../tasks/background.ts";
import { afterChoice, afterUpdate, type Config, configOf, nextChoice } from "./config.ts";
import { type Connection, connect, type Limits, type Listener } from "./connection.ts";
import { isCurrentState, lostNotice, openConversation } from "./conversation.ts";
import { launchFor } from "./launch.ts";
import { type SessionResult, type SessionUpdate, updateIn } from "./native.ts";
import type { AcpProfile } from "./profile.ts";
import { promptBlocks } from "./prompt.ts";
import { createRequests, type Requests } from "./requests.ts";
import { errorData, isAuthRequired } from "./translate/errors.ts";
import { createTranslator, type Translator } from "./translate/translator.ts";

/** The conversation as loaded in one process. */
interface Live extends LiveProcess {
  connection: Connection;
  sessionId: string;
  translator: Translator;
  requests: Requests;
  /** The settings the agent reported last, and those at the start. */
  reported: SessionResult;
  initial: Config;
  /** Whether a key was passed: if the agent still requires one, the key was rejected. */
  hasKey: boolean;
  /** Sent with the first message if the agent could not resume the conversation. */
  history: string | null;
}

export interface SessionContext {
  profile: AcpProfile;
  environment: AgentEnvironment;
  limits: Limits;
  /** The agent's default model in the catalog, which this session may not have. */
  defaultModel: string | null;
}

/** Between turns, a message is considered complete after this time without updates. */
const settleMs = 500;
/** How many lines that are not messages are reported. */
const invalidLimit = 100;
const choiceLimit = 6;

export async function openAcpSession(spec: SessionSpec, sink: Sink, context: SessionContext): Promise<AgentSession> {
  const { profile, environment, limits, defaultModel } = context;
  let settings: AgentSettings = spec;
  let nativeSessionId = spec.nativeSessionId;
  /** A turn of the daemon is open: it must end exactly once. */
  let inTurn = false;
  let invalidLines = 0;
  let settling: Timer | null = null;

  const driver = createSessionProcess<Live>(
    {
      id: profile.id,
      turn: {
        get open() {
          return inTurn;
        },
        close() {
          inTurn = false;
        },
      },
      start,
      async prepare(turn, live) {
        const { connection, history } = live;
        const blocks = await promptBlocks(turn, spec.directory, connection.abilities, history);
        return () => prompt(live, turn, blocks);
      },
      interrupt({ connection, requests, sessionId }) {
        requests.cancelAll();
        connection.notify("session/cancel", { sessionId });
      },
      // The conversation would be lost with the process, unless the agent can resume it.
      isBusy: ({ connection: { abilities } }) => !abilities.loadSession && !abilities.sessionCapabilities.resume,
    },
    { spec, sink, environment },
  );

  // ── Process ─────────────────────────────────────────────────────────────────────────────────────────────────────

  async function start(onExit: (exit: AgentExit) => void): Promise<Live> {
    const installed = await environment.installer.require(profile.id, spec.agentVersion);
    const launch = launchFor(profile, installed, environment, spec);
    environment.hide(launch.secrets);
    try {
      const connection = await connect(launch, onExit, limits);
      return await begin(connection, launch.hasKey).catch(async (error) => {
        await connection.close({ graceMs: 0 });
        throw error;
      });
    } catch (error) {
      if (isAuthRequired(error)) throw new MessageRejected(errorData(error, launch));
      if (!(error instanceof RpcError)) throw error;
      const message = `${profile.id} did not open the session: ${error.message}`;
      throw new ProblemError("stream_error", message, { agent: profile.id });
    }
  }

  async function begin(connection: Connection, hasKey: boolean): Promise<Live> {
    const options = { ...spec, nativeSessionId };
    const { sessionId, result, origin } = await openConversation(profile.id, connection, options, environment.env);
    const translator = createTranslator(connection.runId);
    const live: Live = {
      connection,
      sessionId,
      hasKey,
      translator,
      requests: createRequests(connection, translator, profile.extensions ?? {}),
      reported: result,
      initial: configOf(result),
      history: origin === "lost" ? ((await spec.history?.()) ?? null) : null,
      close: ({ busy }) => connection.close({ graceMs: busy ? 500 : 3000 }),
    };
    await applySettings(live);
    if (sessionId !== nativeSessionId)
      await driver.emit([{ type: "session.identified", native_session_id: sessionId }]);
    nativeSessionId = sessionId;
    if (origin === "lost") await driver.emit([{ ...lostNotice(connection.runId, live.history), synthetic: true }]);
    // Replayed updates are already in the log.
    connection.attach(listenerOf(live), origin === "replayed" ? isCurrentState : undefined);
    return live;
  }

  /** Applies the settings of the session. */
  async function applySettings(made: Live): Promise<void> {
    const { connection, sessionId, initial } = made;
    for (let step = 0; step < choiceLimit; step++) {
      const choice = nextChoice(profile.id, configOf(made.reported), settings, { initial, defaultModel });
      if (!choice) return;
      const answer = await connection.request(choice.method, { sessionId, ...choice.params });
      made.reported = afterChoice(made.reported, choice, answer);
    }
  }

  // ── Messages of the agent ───────────────────────────────────────────────────────────────────────────────────────

  function listenerOf(made: Live): Listener {
    return {
      notification: (message, line) => accept(message, line, () => onNotification(made, message)),
      request: (id, message, line) =>
        accept(
          message,
          line,
          () => {
            const drafts = made.requests.onRequest(id, message, settings.permissionMode);
            if (!driver.isAborting) return drafts;
            made.requests.cancelAll();
            return drafts.filter(({ type }) => !type.endsWith(".requested"));
          },
          () => made.requests.rejectInvalid(id),
        ),
      async invalid(line, error) {
        invalidLines += 1;
        if (invalidLines <= invalidLimit) await driver.emit([unparsed("ACP", error, line.slice(0, 10_000))]);
      },
    };
  }

  function onNotification(made: Live, { method = "", params }: RpcMessage): Draft[] {
    if (method === "$/cancel_request") return made.requests.onCancel(params);
    if (method !== "session/update")
      return made.translator.record(profile.extensions?.notification?.(method, params) ?? []);
    const update = updateIn(params);
    if (!update) throw new Error("session/update without `sessionUpdate`");
    onSettingsUpdate(made, update);
    return made.translator.update(update);
  }

  /** Applies settings that the agent has changed itself, such as leaving plan mode. */
  function onSettingsUpdate(made: Live, update: SessionUpdate): void {
    made.reported = afterUpdate(made.reported, update);
    if (settings.permissionMode !== "plan" || !inTurn) return;
    const { plan } = configOf(made.reported);
    if (plan && plan.setting.current !== plan.id) settings = { ...settings, permissionMode: "default" };
  }

  /** A message that cannot be parsed becomes `agent.unparsed`; the conversation continues. */
  function accept(
    message: RpcMessage,
    line: string,
    read: () => Draft[],
    onInvalid?: () => void,
  ): Promise<void> | void {
    driver.acknowledge();
    let drafts: Draft[];
    try {
      drafts = read();
    } catch (error) {
      onInvalid?.();
      return driver.emit([unparsed("ACP", error instanceof Error ? error.message : error, message)]);
    }
    if (!inTurn && drafts.length > 0) settle();
    const raw = new NativeText(line);
    for (const draft of drafts) draft.raw = raw;
    return driver.emit(drafts);
  }

  function settle(): void {
    if (settling) clearTimeout(settling);
    settling = setTimeout(() => {
      if (!inTurn && driver.live)
        background("end a message", driver.emit(driver.live.translator.settle()), spec.sessionId);
    }, settleMs);
    settling.unref();
  }

  // ── Turns ───────────────────────────────────────────────────────────────────────────────────────────────────────

  function prompt(live: Live, turn: Turn, blocks: ContentBlock[]): void {
    const { connection, sessionId, translator, hasKey } = live;
    const settled = translator.settle();
    inTurn = true;
    translator.begin({ isCommand: turn.text.startsWith("/") });
    live.history = null;
    // The response to the prompt ends the turn.
    const ended = connection.prompt({ sessionId, prompt: blocks }).then(
      (result) => endTurn(live, translator.onPromptResult(result, { aborting: driver.isAborting }), { result }),
      (error) => {
        const drafts = translator.onPromptError(error, { aborting: driver.isAborting, hasKey });
        return endTurn(live, drafts, { error: errorData(error, { hasKey }) });
      },
    );
    background(`prompt ${profile.id}`, Promise.all([driver.emit(settled), ended]), spec.sessionId);
  }

  /** Does nothing if the exit of the process has already ended the turn. */
  async function endTurn(live: Live, drafts: readonly Draft[], raw: unknown): Promise<void> {
    if (driver.live !== live || !inTurn) return;
    inTurn = false;
    await driver.emit(drafts.map((draft) => ({ ...draft, raw })));
  }

  const canSteer = await driver.ensure().then(
    ({ connection }) => connection.canSteer,
    (error) => {
      // A session can be created without credentials; its first message then fails.
      if (!(error instanceof MessageRejected)) throw error;
      environment.log(`${profile.id} requires credentials`, { sessionId: spec.sessionId });
      return false;
    },
  );

  return {
    get nativeSessionId() {
      return nativeSessionId;
    },
    send: driver.send,
    abort: driver.abort,
    ...(canSteer && { steer }),
    async replyPermission(id, reply) {
      driver.live?.requests.replyPermission(id, reply);
    },
    async replyQuestion(id, answers) {
      driver.live?.requests.replyQuestion(id, answers);
    },
    async configure(next) {
      settings = next;
      if (driver.live) await applySettings(driver.live);
    },
    async close() {
      if (settling) clearTimeout(settling);
      await driver.close();
    },
  };

  async function steer(turn: Turn): Promise<void> {
    const { connection, sessionId } = await driver.recipient();
    const blocks = await promptBlocks(turn, spec.directory, connection.abilities, null);
    await connection.request("_session/steering", { sessionId, prompt: blocks });
  }
}
