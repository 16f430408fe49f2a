/**
 * A conversation with an ACP agent: one process that lives as long as there is something to do, closed when idle and
 * started again on the same conversation with the next message. A process of its own, because most agents cannot close a
 * session: only their end ends the tools and servers it has started, and only it ends a turn that hangs.
 */
import type { AgentSession, AgentSettings, SessionSpec, Sink, Turn } from "../agent.ts";
import { type AgentExit, type Draft, NativeText } from "../draft.ts";
import type { AgentEnvironment } from "../environment.ts";
import { idleTimer } from "../process/idle-timer.ts";
import type { RpcMessage } from "../process/json-rpc.ts";
import { afterChoice, afterUpdate, type Config, configOf, nextChoice } from "./config.ts";
import { type Connection, connect, type Limits, type Listener } from "./connection.ts";
import { isNews, lostNotice, openConversation } from "./conversation.ts";
import { launchFor } from "./launch.ts";
import { type SessionResult, type SessionUpdate, updateIn } from "./native.ts";
import type { AcpProfile } from "./profile.ts";
import { promptBlocks } from "./prompt.ts";
import { createRequests, type Requests } from "./requests.ts";
import { errorData, isAuthRequired } from "./translate/errors.ts";
import { unparsed } from "./translate/items.ts";
import { createTranslator, type Translator } from "./translate/translator.ts";

/** The conversation as it is loaded in one process. */
interface Live {
  connection: Connection;
  sessionId: string;
  translator: Translator;
  requests: Requests;
  /** What the agent last told of its settings, and what it started with. */
  told: SessionResult;
  initial: Config;
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
  let live: Live | null = null;
  let connecting: Promise<Live> | null = null;
  /** A turn of the daemon's is open: its end must be told exactly once. */
  let inTurn = false;
  let aborting = false;
  let closed = false;
  let strays = 0;
  let hasKey = false;
  const idle = idleTimer(environment.idleMs, isResting, stop);
  let settling: Timer | null = null;

  // ── Process ─────────────────────────────────────────────────────────────────────────────────────────────────────

  function ensureLive(): Promise<Live> {
    if (live) return Promise.resolve(live);
    connecting ??= start().finally(() => {
      connecting = null;
    });
    return connecting;
  }

  async function start(): Promise<Live> {
    if (closed) throw new Error("the session was closed");
    const installed = await environment.installer.require(profile.id, spec.agentVersion);
    const launch = launchFor(profile, installed, environment, spec);
    hasKey = launch.hasKey;
    const connection = await connect(launch, (exit) => onExit(connection, exit), limits);
    try {
      return await begin(connection);
    } catch (error) {
      await connection.close({ graceMs: 0 });
      throw error;
    }
  }

  async function begin(connection: Connection): Promise<Live> {
    const wishes = { ...spec, nativeSessionId };
    const { sessionId, result, origin } = await openConversation(profile.id, connection, wishes, environment.env);
    const translator = createTranslator(connection.tag);
    const requests = createRequests(connection, translator, profile.extensions ?? {});
    const history = origin === "lost" ? ((await spec.history?.()) ?? null) : null;
    const made: Live = {
      connection,
      sessionId,
      translator,
      requests,
      told: result,
      initial: configOf(result),
      history,
    };
    await choose(made);
    if (connection.isGone) throw new Error(`${profile.id} left as soon as it had started`);
    live = made;
    if (sessionId !== nativeSessionId) await emit([{ type: "session.identified", native_session_id: sessionId }]);
    nativeSessionId = sessionId;
    if (origin === "lost") await emit([{ ...lostNotice(connection.tag, history), synthetic: true }]);
    // What an agent replays is in the log already.
    connection.attach(listenerOf(made), origin === "replayed" ? isNews : undefined);
    idle.restart();
    return made;
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

  function onExit(connection: Connection, exit: AgentExit): void {
    environment.log(`${profile.id} exited`, { sessionId: spec.sessionId, message: exit.message });
    if (live?.connection !== connection) return;
    live = null;
    if (!inTurn || closed) return;
    inTurn = false;
    void sink.emit([{ type: "agent.exited", exit }]);
  }

  async function stop(): Promise<void> {
    const stopped = live ?? (await connecting?.catch(() => null)) ?? null;
    live = null;
    await stopped?.connection.close({ graceMs: inTurn ? 500 : 3000 });
  }

  /** Whether the process can be closed: nothing runs in it, and the agent can take up the conversation again. */
  function isResting(): boolean {
    if (!live || inTurn) return false;
    const { loadSession, sessionCapabilities } = live.connection.abilities;
    return loadSession || Boolean(sessionCapabilities.resume);
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
            if (aborting) made.requests.cancelAll();
            return drafts.filter(({ type }) => !aborting || !type.endsWith(".requested"));
          },
          () => made.requests.refuseUnread(id),
        ),
      async stray(line, error) {
        strays += 1;
        if (strays <= strayLimit) await emit([unparsed(error, line.slice(0, 10_000))]);
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
    let drafts: Draft[];
    try {
      drafts = read();
    } catch (error) {
      onUnread?.();
      return emit([unparsed(error instanceof Error ? error.message : String(error), message)]);
    }
    if (!inTurn && drafts.length > 0) settle();
    const raw = new NativeText(line);
    for (const draft of drafts) draft.raw = raw;
    return emit(drafts);
  }

  function settle(): void {
    if (settling) clearTimeout(settling);
    settling = setTimeout(() => {
      if (!inTurn && live) void emit(live.translator.settle());
    }, settleMs);
    settling.unref();
  }

  function emit(drafts: readonly Draft[]): Promise<void> | void {
    if (drafts.length > 0 && !closed) return sink.emit(drafts);
  }

  // ── Turns ───────────────────────────────────────────────────────────────────────────────────────────────────────

  async function endTurn(drafts: readonly Draft[], raw?: unknown): Promise<void> {
    if (!inTurn) return;
    inTurn = false;
    aborting = false;
    idle.restart();
    await emit(drafts.map((draft) => (raw === undefined ? { ...draft, synthetic: true } : { ...draft, raw })));
  }

  /** When the process is gone, that has been told instead. */
  async function endOf(made: Live, drafts: readonly Draft[], raw: unknown): Promise<void> {
    if (live === made) await endTurn(drafts, raw);
  }

  async function failTurn(error: unknown): Promise<void> {
    const reason = aborting ? "aborted" : "failed";
    const told: Draft[] = aborting ? [] : [{ type: "error", error: errorData(error, { hasKey }) }];
    await endTurn([...told, { type: "turn.ended", reason }]);
  }

  async function prompt(made: Live, turn: Turn): Promise<void> {
    const { connection, sessionId, translator, history } = made;
    const blocks = await promptBlocks(turn, spec.directory, connection.abilities, history);
    if (aborting) return endTurn([{ type: "turn.ended", reason: "aborted" }]);
    const room = emit(translator.settle());
    if (room) await room;
    translator.begin({ isCommand: turn.text.startsWith("/") });
    made.history = null;
    // Not awaited: its answer is the end of the turn.
    void connection.prompt({ sessionId, prompt: blocks }).then(
      (result) => endOf(made, translator.ended(result, { aborting }), { result }),
      (error) => endOf(made, translator.failed(error, { aborting, hasKey }), { error: errorData(error, { hasKey }) }),
    );
  }

  const canSteer = await ensureLive().then(
    ({ connection }) => connection.canSteer,
    (error) => {
      // A session can be made without credentials; its first message will ask for them.
      if (!isAuthRequired(error)) throw error;
      environment.log(`${profile.id} wants credentials`, { sessionId: spec.sessionId });
      return false;
    },
  );

  return {
    get nativeSessionId() {
      return nativeSessionId;
    },
    async send(turn) {
      inTurn = true;
      aborting = false;
      try {
        await prompt(live ?? (await ensureLive()), turn);
      } catch (error) {
        await failTurn(error);
      }
    },
    ...(canSteer && { steer }),
    async abort() {
      if (!inTurn) return;
      aborting = true;
      if (!live) return;
      live.requests.cancelAll();
      live.connection.notify("session/cancel", { sessionId: live.sessionId });
    },
    async replyPermission(id, reply) {
      live?.requests.replyPermission(id, reply);
    },
    async replyQuestion(id, answers) {
      live?.requests.replyQuestion(id, answers);
    },
    async configure(next) {
      settings = next;
      if (live) await choose(live);
    },
    async close() {
      closed = true;
      idle.end();
      if (settling) clearTimeout(settling);
      await stop();
    },
  };

  async function steer(turn: Turn): Promise<void> {
    const { connection, sessionId } = await ensureLive();
    const blocks = await promptBlocks(turn, spec.directory, connection.abilities, null);
    await connection.request("_session/steering", { sessionId, prompt: blocks });
  }
}
