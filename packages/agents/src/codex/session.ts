/** A session: one thread on an app-server. Between turns the server may be replaced by another one. */
import { ProblemError } from "@sandbox-agent/schema";
import * as z from "zod";
import type { AgentSession, AgentSettings, SessionSpec, Sink, Turn } from "../agent.ts";
import type { AgentExit, Draft } from "../draft.ts";
import { RpcError, type RpcId, type RpcMessage } from "../process/json-rpc.ts";
import type { LeasedServers } from "../process/leased-server.ts";
import { background } from "../tasks/background.ts";
import { type TurnStartParams, TurnStartResponse, type UserInput } from "./generated/protocol.ts";
import type { Launch } from "./launch.ts";
import type { ThreadListener } from "./router.ts";
import type { CodexServer } from "./server.ts";
import { loadThread } from "./thread.ts";
import { userInput } from "./translate/input.ts";
import { approvalMessage, planDecision } from "./translate/plan.ts";
import { collaborationMode, nativeSettings } from "./translate/settings.ts";
import { createTranslator, type Translation, type Translator } from "./translate/translator.ts";

/** The thread as loaded on one run of a server. */
interface Connection {
  server: CodexServer;
  threadId: string;
  model: string;
  translator: Translator;
  /** The settings that were sent last. The thread keeps them, and sending them again costs time. */
  sentSettings: string | null;
}

export async function openCodexSession(
  spec: SessionSpec,
  sink: Sink,
  launch: Launch,
  servers: LeasedServers<Launch, CodexServer>,
): Promise<AgentSession> {
  const lease = servers.lease(launch, onServerExit);
  let settings: AgentSettings = spec;
  let nativeSessionId = spec.nativeSessionId;
  let connection: Connection | null = null;
  let connecting: Promise<Connection> | null = null;
  /** A turn of the daemon is open: its end must be emitted exactly once. */
  let inTurn = false;
  /** The turn must be interrupted as soon as possible. */
  let aborting = false;
  let isAuthorized = launch.apiKey !== null;
  let closed = false;

  // ── The thread ────────────────────────────────────────────────────────────────────────────────────────────────────

  function connect(): Promise<Connection> {
    connecting ??= load().finally(() => {
      connecting = null;
    });
    return connecting;
  }

  async function load(): Promise<Connection> {
    const server = await lease.server();
    if (connection?.server === server) return connection;
    const { threadId, model } = await loadThread(
      server,
      { ...spec, ...settings, nativeSessionId },
      launch.modelProvider,
    );
    const hasKey = launch.apiKey !== null || launch.modelProvider === null;
    const translator = createTranslator({ threadId, serverId: server.id, hasKey });
    const made: Connection = { server, threadId, model, translator, sentSettings: null };
    connection = made;
    server.attach(threadId, listenerOf(made));
    if (threadId !== nativeSessionId) await emit([{ type: "session.identified", native_session_id: threadId }]);
    nativeSessionId = threadId;
    return made;
  }

  function listenerOf(made: Connection): ThreadListener {
    const { server, translator } = made;
    return {
      notification: (message) => accept(made, translator.notification(message)),
      async request(id, message) {
        if (answerWithoutUser(made, id, message)) return;
        const translation = translator.request(id, message);
        if (translation.reject) server.reject(id);
        await accept(made, translation);
      },
      invalid: (line, error) =>
        emit([{ type: "agent.unparsed", unparsed: { error, location: "codex stdout" }, raw: line.slice(0, 100_000) }]),
    };
  }

  /** Without a sandbox Codex requests approval for every edit; some permission modes decide that without the user. */
  function answerWithoutUser({ server }: Connection, id: RpcId, { method }: RpcMessage): boolean {
    const { fileChanges } = nativeSettings(settings, server.sandboxWorks);
    if (method !== "item/fileChange/requestApproval" || !fileChanges) return false;
    server.respond(id, { decision: fileChanges === "once" ? "accept" : "decline" });
    return true;
  }

  async function accept(made: Connection, { drafts, interrupt }: Translation): Promise<void> {
    const hasStarted = drafts.some(({ type }) => type === "turn.started");
    if (hasStarted && !inTurn) setInTurn(true);
    if (interrupt || (hasStarted && aborting)) background("interrupt the turn", interruptAll(made), spec.sessionId);
    await emit(drafts);
  }

  async function emit(drafts: readonly Draft[]): Promise<void> {
    if (drafts.length === 0 || closed) return;
    if (drafts.some(({ type }) => type === "turn.ended")) setInTurn(false);
    await sink.emit(drafts);
  }

  function setInTurn(value: boolean): void {
    inTurn = value;
    aborting = false;
    lease.setBusy(value);
  }

  /** The thread is stored in Codex's files: the next message resumes it. */
  function onServerExit(exit: AgentExit): void {
    connection = null;
    if (!inTurn) return;
    setInTurn(false);
    background("report the exit of the server", emit([{ type: "agent.exited", exit }]), spec.sessionId);
  }

  async function fail(error: Extract<Draft, { type: "error" }>["error"]): Promise<void> {
    await emit([
      { type: "error", error, synthetic: true },
      { type: "turn.ended", reason: "failed", synthetic: true },
    ]);
  }

  // ── Turns ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  async function startTurn(input: UserInput[]): Promise<void> {
    const made = await connect();
    const { server, threadId, model } = made;
    const { approvalPolicy, sandboxPolicy } = nativeSettings(settings, server.sandboxWorks);
    const chosen = settings.model ?? model;
    const wanted: Omit<TurnStartParams, "threadId" | "input"> = {
      model: chosen,
      approvalPolicy,
      sandboxPolicy,
      collaborationMode: collaborationMode(settings, chosen),
      ...(settings.variant !== null && { effort: settings.variant }),
    };
    const text = JSON.stringify(wanted);
    const params: TurnStartParams = { threadId, input, ...(text !== made.sentSettings && wanted) };
    await server.request("turn/start", params, TurnStartResponse);
    made.sentSettings = text;
  }

  async function begin(input: UserInput[]): Promise<void> {
    if (aborting) return emit([{ type: "turn.ended", reason: "aborted", synthetic: true }]);
    try {
      await startTurn(input);
    } catch (error) {
      if (inTurn) await fail(errorOf(error));
    }
  }

  /** Interrupts the turns of the thread and its subagents, and stops their background commands. */
  async function interruptAll({ server, translator }: Connection): Promise<void> {
    const running = [...translator.running];
    const interrupts = running.map(([threadId, turnId]) =>
      server.request("turn/interrupt", { threadId, turnId }, anything),
    );
    await Promise.allSettled(interrupts);
    const cleanups = running.map(([threadId]) =>
      server.request("thread/backgroundTerminals/clean", { threadId }, anything),
    );
    await Promise.allSettled(cleanups);
  }

  async function answerPlan({ translator }: Connection, answers: string[][] | null): Promise<void> {
    const permissionMode = planDecision(answers);
    if (permissionMode === null) return emit(translator.endPlan());
    settings = { ...settings, agentMode: "build", permissionMode };
    translator.forgetPlan();
    await begin([{ type: "text", text: approvalMessage }]);
  }

  // Keep the server from being stopped as idle while the thread is loaded.
  lease.setBusy(true);
  try {
    await connect();
  } catch (error) {
    closed = true;
    lease.setBusy(false);
    await lease.release();
    throw error;
  }
  lease.setBusy(inTurn);

  return {
    get nativeSessionId() {
      return nativeSessionId;
    },
    async send(turn: Turn) {
      setInTurn(true);
      try {
        const { server, translator } = await connect();
        isAuthorized ||= await server.hasAccount();
        if (!isAuthorized) return await fail(authRequired);
        translator.expectUserMessage();
      } catch (error) {
        // If the server has exited meanwhile, the end of the turn is already emitted.
        if (inTurn) await fail(errorOf(error));
        return;
      }
      await begin(userInput(turn, spec.directory));
    },
    async steer(turn) {
      const { server, threadId, translator } = await connect();
      const expectedTurnId = translator.running.get(threadId);
      if (!expectedTurnId)
        throw new ProblemError("conflict", "the turn has not started yet or has ended; send the message again");
      translator.expectUserMessage();
      await server.request(
        "turn/steer",
        { threadId, expectedTurnId, input: userInput(turn, spec.directory) },
        anything,
      );
    },
    async abort() {
      if (!inTurn) return;
      if (connection?.translator.openPlan) return emit(connection.translator.endPlan("aborted"));
      // A turn that has not started yet is interrupted when it starts.
      aborting = true;
      if (connection) await interruptAll(connection);
    },
    async replyPermission(permissionId, reply) {
      const answer = connection?.translator.takeAnswer(permissionId);
      if (answer?.on === "permission") connection?.server.respond(answer.rpcId, answer.reply(reply));
    },
    async replyQuestion(questionId, answers) {
      if (connection && connection.translator.openPlan === questionId) return answerPlan(connection, answers);
      const answer = connection?.translator.takeAnswer(questionId);
      if (answer?.on === "question") connection?.server.respond(answer.rpcId, answer.reply(answers));
    },
    async configure(change) {
      settings = change;
    },
    async close() {
      closed = true;
      const left = connection;
      connection = null;
      if (left) await leave(left).catch(() => {});
      await lease.release();
    },
  };

  async function leave(left: Connection): Promise<void> {
    const { server, threadId } = left;
    server.detach(threadId);
    await interruptAll(left);
    await server.request("thread/unsubscribe", { threadId }, anything);
  }
}

const anything = z.unknown();

const authRequired = {
  message: "no OpenAI credentials; set OPENAI_API_KEY, pass `credentials` with the session, or run `codex login`",
  code: "auth_required",
};

function errorOf(error: unknown): { message: string; code: string; details?: unknown } {
  if (error instanceof ProblemError)
    return { message: error.message, code: error.kind, details: error.context.details };
  if (error instanceof RpcError) return { message: error.message, code: "agent_error", details: error.data };
  return { message: error instanceof Error ? error.message : String(error), code: "agent_error" };
}
