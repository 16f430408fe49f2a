/**
 * A session with OpenCode: passes turns and replies to the server, events to the translator and drafts to the sink. The
 * server may be stopped, crash and be restarted in between; the conversation continues under its native id.
 */
import { ProblemError } from "@sandbox-agent/schema";
import type { AgentSession, AgentSettings, SessionSpec, Sink, Turn } from "../agent.ts";
import type { AgentExit, Draft } from "../draft.ts";
import { valueAt } from "../json.ts";
import type { LeasedServers } from "../process/leased-server.ts";
import { planOptions } from "../questions.ts";
import { background } from "../tasks/background.ts";
import { providersOf } from "./catalog.ts";
import * as native from "./conversation.ts";
import type { Launch } from "./launch.ts";
import { chooseModel, type ModelChoice } from "./models.ts";
import { afterPlan, decide, nativeAgent } from "./modes.ts";
import { promptParts } from "./prompt.ts";
import type { OpenCodeServer } from "./server.ts";
import type { Listening } from "./streams.ts";
import { notice } from "./translate/items.ts";
import type { OpenRequest } from "./translate/requests.ts";
import { createTranslator, type Translator } from "./translate/translator.ts";

/** How long to wait for the last events of a turn after the agent has reported that it is idle. */
const settleMs = 1000;
const abortTimeoutMs = 4000;

export interface SessionContext {
  servers: LeasedServers<Launch, OpenCodeServer>;
  /** The launch of this session's server, with additional models that OpenCode does not know. */
  launch(models: readonly string[]): Promise<Launch>;
}

export async function openSession(spec: SessionSpec, sink: Sink, context: SessionContext): Promise<AgentSession> {
  const { directory } = spec;
  let settings: AgentSettings = spec;
  let lease = context.servers.lease(await context.launch([]), onServerExit);
  let attached: ({ server: OpenCodeServer } & Listening) | null = null;
  let nativeId: string;
  let translator: Translator;
  let settleTimer: Timer | null = null;
  let abortWanted = false;
  /** The pending abort request, at most one. No turn starts before it is answered, because it would end that turn too. */
  let stopping: Promise<void> | null = null;
  let closed = false;
  let mcpReported = false;

  // ── The server ──────────────────────────────────────────────────────────────────────────────────────────────────

  async function ready(): Promise<OpenCodeServer> {
    const server = await lease.server();
    if (attached?.server !== server) {
      attached?.stop();
      attached = { server, ...server.streams.listen(directory, nativeId, { event: receive, lost }) };
    }
    const { opened } = attached;
    await opened.catch((error: unknown) => {
      attached = null;
      throw error;
    });
    return server;
  }

  async function receive(payload: unknown): Promise<void> {
    if (closed || isDecidedByMode(payload)) return;
    await emit(translator.translate(payload));
    // OpenCode may start to work on a prompt after the abort.
    if (abortWanted && translator.busy && !translator.settling)
      background("stop the turn", stopNative(), spec.sessionId);
    watchSettling();
  }

  /** The events of the turn are lost; the next message opens the stream again. */
  async function lost(reason: string): Promise<void> {
    attached = null;
    stopSettling();
    await emit(
      translator.fail({ message: `the connection to the OpenCode server was lost: ${reason}`, code: "process_exit" }),
    );
  }

  /** The conversation is stored in OpenCode's files: the next message resumes it. */
  function onServerExit(exit: AgentExit): void {
    if (!attached) return;
    attached = null;
    stopSettling();
    if (!translator.running) return;
    translator.settle();
    background("report the exit of the server", emit([{ type: "agent.exited", exit }]), spec.sessionId);
  }

  async function emit(drafts: Draft[]): Promise<void> {
    if (drafts.length === 0 || closed) return;
    if (drafts.some(({ type }) => type === "turn.started")) lease.setBusy(true);
    if (!translator.running) lease.setBusy(false);
    await sink.emit(drafts);
  }

  function watchSettling(): void {
    const isAbortedBeforeStart = abortWanted && translator.running && !translator.busy;
    if (!translator.settling && !isAbortedBeforeStart) return stopSettling();
    settleTimer ??= setTimeout(() => {
      settleTimer = null;
      background("end the turn", emit(translator.settle()), spec.sessionId);
    }, settleMs);
  }

  function stopSettling(): void {
    if (settleTimer) clearTimeout(settleTimer);
    settleTimer = null;
  }

  /** Answers a permission request that the mode decides. The stream does not wait for the answer. */
  function isDecidedByMode(payload: unknown): boolean {
    if (valueAt(payload, "type") !== "permission.asked" || !attached) return false;
    const request = translator.permissionIn(payload);
    const decision = request ? decide(settings, request.permission) : "ask";
    if (!request || decision === "ask") return false;
    const reply =
      decision === "allow" ? { reply: "once" } : { reply: "reject", message: "Files must not be edited in plan mode." };
    native
      .answerPermission(attached.server, directory, request.id, reply)
      .catch(() => emit(translator.translate(payload)));
    return true;
  }

  // ── Turns ───────────────────────────────────────────────────────────────────────────────────────────────────────

  async function send(turn: Turn): Promise<void> {
    abortWanted = false;
    await stopping;
    const parts = promptParts(turn, directory);
    lease.setBusy(true);
    try {
      const { server, choice } = await prepare();
      translator.begin("message" in choice ? null : choice.contextWindow);
      if ("message" in choice) return await emit(translator.fail(choice));
      if (abortWanted) return await emit(translator.settle());
      await native.prompt(server, nativeId, { parts, ...promptSettings(choice) });
    } catch (error) {
      translator.settle();
      lease.setBusy(false);
      throw error;
    }
    if (abortWanted) await stopNative();
  }

  /** A server that has the model of the session, or the error if there is none. */
  async function prepare() {
    const server = await ready();
    await reportMcp(server);
    const choice = await chosenModel(server);
    if (!("message" in choice) || !(await moveToServerWith(settings.model))) return { server, choice };
    const other = await ready();
    return { server: other, choice: await chosenModel(other) };
  }

  async function chosenModel(server: OpenCodeServer) {
    return chooseModel(settings.model, await providersOf(server, directory));
  }

  /** A model of a custom endpoint may be unknown to OpenCode: then a server is started with this model configured. */
  async function moveToServerWith(model: string | null): Promise<boolean> {
    const [provider = ""] = model?.split("/", 1) ?? [];
    const launch = await context.launch([]);
    if (model === null || closed || !launch.customProviders.has(provider)) return false;
    const next = context.servers.lease(await context.launch([model]), onServerExit);
    next.setBusy(true);
    await lease.release();
    lease = next;
    return true;
  }

  function promptSettings({ providerID, modelID }: ModelChoice) {
    const agent = nativeAgent(settings);
    return {
      model: { providerID, modelID },
      ...(agent && { agent }),
      ...(settings.variant && { variant: settings.variant }),
    };
  }

  async function reportMcp(server: OpenCodeServer): Promise<void> {
    if (mcpReported || Object.keys(spec.mcp).length === 0) return;
    mcpReported = true;
    const broken = await native.brokenMcp(server, directory).catch((error: Error) => ({ "*": error.message }));
    for (const [name, reason] of Object.entries(broken))
      await sink.emit(notice({ id: `${nativeId}:mcp:${name}` }, "MCP server failed", `${name}: ${reason}`));
  }

  async function abort(): Promise<void> {
    // A turn that is still being prepared ends before its prompt is sent.
    abortWanted = true;
    if (!translator.running) return;
    const open = translator.requests.open();
    await stopNative();
    // The agent does not withdraw its open requests on an abort.
    await Promise.all(open.map((request) => reject(request).catch(() => {})));
    watchSettling();
  }

  function stopNative(): Promise<void> {
    stopping ??= requestAbort().finally(() => (stopping = null));
    return stopping;
  }

  async function requestAbort(): Promise<void> {
    if (!attached) return;
    try {
      await native.abort(attached.server, nativeId, abortTimeoutMs);
    } catch (error) {
      const message = `OpenCode did not accept the abort: ${error instanceof Error ? error.message : error}`;
      await emit(translator.fail({ message, code: "abort_failed" }));
    }
  }

  // ── Requests ────────────────────────────────────────────────────────────────────────────────────────────────────

  async function reject({ kind, request }: OpenRequest): Promise<void> {
    if (!attached) return;
    if (kind === "permission")
      await native.answerPermission(attached.server, directory, request.id, { reply: "reject" });
    else await native.answerQuestion(attached.server, directory, request.id, null);
  }

  async function replyQuestion(questionId: string, answers: string[][] | null): Promise<void> {
    const request = translator.requests.take(questionId);
    if (!request || !attached) return;
    const { server } = attached;
    if (request.kind !== "plan") return native.answerQuestion(server, directory, questionId, answers);
    const answer = answers?.[0]?.[0];
    // Words of one's own are no approval.
    if (answer !== planOptions.approve && answer !== planOptions.acceptEdits)
      return native.answerQuestion(server, directory, questionId, null);
    settings = afterPlan(settings, answer === planOptions.acceptEdits);
    await native.answerQuestion(server, directory, questionId, [["Yes"]]);
  }

  // ── Start and close ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Resumes the conversation, or starts one if there is none or OpenCode no longer has it. */
  async function establish(): Promise<Draft[]> {
    lease.setBusy(true);
    const server = await lease.server();
    const before = spec.nativeSessionId;
    const known = before !== null && (await native.hasNative(server, before));
    nativeId = known ? before : await native.createNative(server, directory, spec.sessionId);
    translator = createTranslator(nativeId);
    await ready();
    if (known || before === null) return [];
    const detail = `OpenCode no longer has the session ${before}; the conversation starts again without its history`;
    return [
      { type: "session.identified", native_session_id: nativeId },
      ...notice({ id: `${nativeId}:restarted` }, "Conversation restarted", detail),
    ];
  }

  async function close(): Promise<void> {
    closed = true;
    stopSettling();
    if (translator.running && attached) await native.abort(attached.server, nativeId, 1000).catch(() => {});
    attached?.stop();
    await lease.release();
  }

  const first = await establish().catch(async (error: unknown) => {
    await lease.release();
    throw error;
  });
  lease.setBusy(false);
  if (first.length > 0) await sink.emit(first);

  return {
    get nativeSessionId() {
      return nativeId;
    },
    send,
    async steer(turn) {
      const server = await ready();
      const choice = await chosenModel(server);
      if ("message" in choice) throw new ProblemError("invalid_request", choice.message, { agent: "opencode" });
      await native.prompt(server, nativeId, { parts: promptParts(turn, directory), ...promptSettings(choice) });
    },
    abort,
    /** `always` is stored by the daemon: natively it would apply to every session of the directory. */
    async replyPermission(permissionId, reply) {
      if (!translator.requests.take(permissionId) || !attached) return;
      await native.answerPermission(attached.server, directory, permissionId, {
        reply: reply === "reject" ? "reject" : "once",
      });
    },
    replyQuestion,
    async configure(next) {
      settings = next;
    },
    close,
  };
}
