/**
 * A conversation with an ACP agent: a process of its own, because most agents cannot close a session. Only the end of the
 * process ends the tools and servers that were started for it, or a turn that hangs.
 */
import type { ContentBlock } from "@agentclientprotocol/sdk";
import { ProblemError } from "@sandbox-agent/schema";
import type { AgentSession, AgentSettings, SessionSpec, Sink, Turn } from "../agent.ts";
import { type AgentExit, type Draft, NativeText } from "../draft.ts";
import type { AgentEnvironment } from "../environment.ts";
import { unparsed } from "../item-drafts.ts";
import { RpcError, type RpcMessage } from "../process/json-rpc.ts";
import { createSessionProcess, type LiveProcess, MessageRefused } from "../process/session-process.ts";
import { background } from "../tasks/background.ts";
import { afterChoice, afterUpdate, type Config, configOf, nextChoice } from "./config.ts";
import { type Connection, connect, type Limits, type Listener } from "./connection.ts";
import { isNews, lostNotice, openConversation } from "./conversation.ts";
import { launchFor } from "./launch.ts";
import { type SessionResult, type SessionUpdate, updateIn } from "./native.ts";
import type { AcpProfile } from "./profile.ts";
import { promptBlocks } from "./prompt.ts";
import { createRequests, type Requests } from "./requests.ts";
import { errorData, isAuthRequired } from "./translate/errors.ts";
import { createTranslator, type Translator } from "./translate/translator.ts";

/** The conversation as it is loaded in one process. */
interface Live extends LiveProcess {
  connection: Connection;
  sessionId: string;
  translator: Translator;
  requests: Requests;
  /** What the agent last told of its settings, and what it started with. */
  told: SessionResult;
  initial: Config;
  /** Whether it was given a key: if it still wants one, that one was refused. */
  hasKey: boolean;
  /** Told with the first message, where the agent has forgotten the conversation. */
  history: string | null;
}

export interface SessionContext {
  profile: AcpProfile;
  environment: AgentEnvironment;
  limits: Limits;
  /** The agent's default as it is listed, which this session may not have. */
  defaultModel: string | null;
}

/** Between turns nothing tells that a message is over but silence. */
const settleMs = 500;
/** A line that is no message is told, but not each of a flood of them. */
const strayLimit = 100;
const choiceLimit = 6;

export async function openAcpSession(spec: SessionSpec, sink: Sink, context: SessionContext): Promise<AgentSession> {
  const { profile, environment, limits, defaultModel } = context;
  let settings: AgentSettings = spec;
  let nativeSessionId = spec.nativeSessionId;
  /** A turn of the daemon's is open: it ends exactly once. */
  let inTurn = false;
  let strays = 0;
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
      // The conversation is lost with the process, unless the agent can take it up again.
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
      if (isAuthRequired(error)) throw new MessageRefused(errorData(error, launch));
      if (!(error instanceof RpcError)) throw error;
      const message = `${profile.id} did not begin the session: ${error.message}`;
      throw new ProblemError("stream_error", message, { agent: profile.id });
    }
  }

  async function begin(connection: Connection, hasKey: boolean): Promise<Live> {
    const wishes = { ...spec, nativeSessionId };
    const { sessionId, result, origin } = await openConversation(profile.id, connection, wishes, environment.env);
    const translator = createTranslator(connection.tag);
    const live: Live = {
      connection,
      sessionId,
      hasKey,
      translator,
      requests: createRequests(connection, translator, profile.extensions ?? {}),
      told: result,
      initial: configOf(result),
      history: origin === "lost" ? ((await spec.history?.()) ?? null) : null,
      close: ({ busy }) => connection.close({ graceMs: busy ? 500 : 3000 }),
    };
    await choose(live);
    if (sessionId !== nativeSessionId)
      await driver.emit([{ type: "session.identified", native_session_id: sessionId }]);
    nativeSessionId = sessionId;
    if (origin === "lost") await driver.emit([{ ...lostNotice(connection.tag, live.history), synthetic: true }]);
    // What an agent replays is in the log already.
    connection.attach(listenerOf(live), origin === "replayed" ? isNews : undefined);
    return live;
  }

  /** Brings the agent's settings to what the session wants. */
  async function choose(made: Live): Promise<void> {
    const { connection, sessionId, initial } = made;
    for (let step = 0; step < choiceLimit; step++) {
      const choice = nextChoice(profile.id, configOf(made.told), settings, { initial, defaultModel });
      if (!choice) return;
      const answer = await connection.request(choice.method, { sessionId, ...choice.params });
      made.told = afterChoice(made.told, choice, answer);
    }
  }

  // ── Messages of the agent ───────────────────────────────────────────────────────────────────────────────────────

  function listenerOf(made: Live): Listener {
    return {
      notification: (message, line) => accept(message, line, () => notified(made, message)),
      request: (id, message, line) =>
        accept(
          message,
          line,
          () => {
            const drafts = made.requests.take(id, message, settings.permissionMode);
            if (!driver.isAborting) return drafts;
            made.requests.cancelAll();
            return drafts.filter(({ type }) => !type.endsWith(".requested"));
          },
          () => made.requests.refuseUnread(id),
        ),
      async stray(line, error) {
        strays += 1;
        if (strays <= strayLimit) await driver.emit([unparsed("ACP", error, line.slice(0, 10_000))]);
      },
    };
  }

  function notified(made: Live, { method = "", params }: RpcMessage): Draft[] {
    if (method === "$/cancel_request") return made.requests.withdrawn(params);
    if (method !== "session/update")
      return made.translator.told(profile.extensions?.notification?.(method, params) ?? []);
    const update = updateIn(params);
    if (!update) throw new Error("an update without its kind");
    learn(made, update);
    return made.translator.update(update);
  }

  /** Settings that the agent has changed by itself, such as the end of planning. */
  function learn(made: Live, update: SessionUpdate): void {
    made.told = afterUpdate(made.told, update);
    if (settings.permissionMode !== "plan" || !inTurn) return;
    const { plan } = configOf(made.told);
    if (plan && plan.setting.current !== plan.id) settings = { ...settings, permissionMode: "default" };
  }

  /** Whatever cannot be read is told as it is; the conversation goes on. */
  function accept(message: RpcMessage, line: string, read: () => Draft[], onUnread?: () => void): Promise<void> | void {
    driver.heard();
    let drafts: Draft[];
    try {
      drafts = read();
    } catch (error) {
      onUnread?.();
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
    // Its answer is the end of the turn.
    const ended = connection.prompt({ sessionId, prompt: blocks }).then(
      (result) => endTurn(live, translator.ended(result, { aborting: driver.isAborting }), { result }),
      (error) => {
        const drafts = translator.failed(error, { aborting: driver.isAborting, hasKey });
        return endTurn(live, drafts, { error: errorData(error, { hasKey }) });
      },
    );
    background(`prompt ${profile.id}`, Promise.all([driver.emit(settled), ended]), spec.sessionId);
  }

  /** When the process has exited, that has ended the turn instead. */
  async function endTurn(live: Live, drafts: readonly Draft[], raw: unknown): Promise<void> {
    if (driver.live !== live || !inTurn) return;
    inTurn = false;
    await driver.emit(drafts.map((draft) => ({ ...draft, raw })));
  }

  const canSteer = await driver.ensure().then(
    ({ connection }) => connection.canSteer,
    (error) => {
      // A session can be made without credentials; its first message will ask for them.
      if (!(error instanceof MessageRefused)) throw error;
      environment.log(`${profile.id} wants credentials`, { sessionId: spec.sessionId });
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
      if (driver.live) await choose(driver.live);
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
