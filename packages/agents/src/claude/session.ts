/** A conversation with Claude Code: one process, which resumes the session by its id when it is restarted. */
import { ProblemError } from "@sandbox-agent/schema";
import * as z from "zod";
import type { AgentSession, AgentSettings, SessionSpec, Sink } from "../agent.ts";
import type { AgentExit, Draft } from "../draft.ts";
import type { AgentEnvironment } from "../environment.ts";
import { unparsedLine } from "../item-drafts.ts";
import { stringAt } from "../json.ts";
import type { Incoming } from "../process/json-lines.ts";
import { createSessionProcess, type LiveProcess } from "../process/session-process.ts";
import { within } from "../tasks/within.ts";
import type { Variables } from "../variables.ts";
import { type Connection, connect } from "./connection.ts";
import { credentialFor } from "./credential.ts";
import { userMessage } from "./input.ts";
import { launchEnvironment, mayBypass, sessionArguments } from "./launch.ts";
import { nativeServers } from "./mcp.ts";
import { mainAgent, modeAfterPlan, nativePermissionMode } from "./modes.ts";
import { hasTranscript } from "./transcript.ts";
import { allowedTools, permissionReply, questionReply } from "./translate/replies.ts";
import { tagOf } from "./translate/tag.ts";
import { createTranslator } from "./translate/translator.ts";

/** How long the first message waits for MCP servers. */
const serversReadyMs = 10_000;

const ServerErrors = z.object({ errors: z.record(z.string(), z.unknown()).catch({}) });

interface Live extends LiveProcess {
  connection: Connection;
}

function requireBypass({ permissionMode }: AgentSettings, env: Variables): void {
  if (permissionMode !== "bypass" || mayBypass(env)) return;
  throw new ProblemError(
    "mode_not_supported",
    "Claude Code does not bypass permissions when it runs as root; run the daemon as another user, or set IS_SANDBOX=1 in its environment if this is a sandbox",
    { agent: "claude", details: { mode: permissionMode } },
  );
}

export async function openClaudeSession(
  spec: SessionSpec,
  sink: Sink,
  environment: AgentEnvironment,
): Promise<AgentSession> {
  const variables = { ...environment.env, ...spec.env };
  requireBypass(spec, variables);
  const credential = credentialFor(spec, environment);
  const firstId = spec.nativeSessionId ?? crypto.randomUUID();
  const translator = createTranslator({ nativeSessionId: firstId, isLogin: credential?.kind === "login" });
  const { turn, requests } = translator;
  const grants = new Set<string>();
  let settings: AgentSettings = spec;

  const driver = createSessionProcess<Live>(
    {
      id: "claude",
      turn,
      start,
      async prepare(message, { connection }) {
        const uuid = crypto.randomUUID();
        const native = await userMessage(message, uuid, spec.directory);
        return () => {
          turn.send(uuid);
          connection.write(native);
        };
      },
      interrupt({ connection }) {
        for (const message_uuid of turn.unread)
          connection.request({ subtype: "cancel_async_message", message_uuid }).catch(() => {});
        if (turn.running) interrupt(connection);
      },
      isBusy: () => translator.tasks.busy || requests.size > 0,
    },
    { spec, sink, environment },
  );

  // ── Process ─────────────────────────────────────────────────────────────────────────────────────────────────────

  async function start(onExit: (exit: AgentExit) => void): Promise<Live> {
    const installed = await environment.installer.require("claude", spec.agentVersion);
    const env = launchEnvironment(spec, installed, credential, environment);
    const sessionId = translator.nativeSessionId ?? firstId;
    const resume = await hasTranscript(sessionId, env);
    const permissionMode = translator.permissionMode ?? nativePermissionMode(settings);
    const rights = { allowedTools: [...grants], mayBypass: mayBypass(variables) };
    const options = { settings, permissionMode, sessionId, resume, ...rights };
    translator.restarted();
    const connection = connect({
      command: [...installed.command, ...sessionArguments(options)],
      cwd: spec.directory,
      env,
      credential,
      onMessages: async (messages) => driver.emit(messages.flatMap((message) => translate(connection, message))),
      onExit,
    });
    connection.initialize({ forwardSubagentText: true }).catch(() => {});
    return { connection, ready: startServers(connection), close: connection.close };
  }

  /** Resolves when the MCP servers of the session have started or failed. */
  async function startServers(connection: Connection): Promise<void> {
    const servers = nativeServers(spec.mcp, variables);
    if (Object.keys(servers).length === 0) return;
    const configured = connection.request({ subtype: "mcp_set_servers", servers }).then(reportServers);
    const failed = (error: unknown) =>
      environment.log("claude did not accept its MCP servers", { error: String(error) });
    await within(serversReadyMs, configured.catch(failed));
  }

  async function reportServers(answer: unknown): Promise<void> {
    const failed = Object.entries(ServerErrors.parse(answer).errors);
    await driver.emit(
      failed.flatMap(([name, cause]) => translator.onServerFailed(name, String(cause), { name, cause })),
    );
  }

  // ── Messages of the agent ───────────────────────────────────────────────────────────────────────────────────────

  function translate(connection: Connection, message: Incoming): Draft[] {
    if ("invalid" in message) return [unparsedLine("claude.stdout", message.invalid)];
    const wasRunning = turn.running;
    const wereRejected = turn.credentialsRejected;
    const drafts = translator.translate(message.value);
    rejectUnknown(connection, message.value);
    if (turn.running) driver.acknowledge();
    // The agent ignores an interrupt that arrives before it has started the turn.
    const isDue = driver.isAborting && turn.running && !wasRunning;
    if (isDue || (turn.credentialsRejected && !wereRejected)) interrupt(connection);
    return drafts;
  }

  /** The agent waits for every response, so an unknown request must be rejected or the turn would hang. */
  function rejectUnknown(connection: Connection, value: unknown): void {
    const id = tagOf(value) === "control_request" ? stringAt(value, "request_id") : null;
    if (id !== null && !requests.has(id)) connection.reject(id, "this host does not support such requests");
  }

  function interrupt(connection: Connection): void {
    connection.request({ subtype: "interrupt" }).catch(() => {});
  }

  function answer(id: string, response: (pending: NonNullable<ReturnType<typeof requests.get>>) => object): void {
    const pending = requests.get(id);
    if (!pending) return;
    requests.delete(id);
    driver.live?.connection.respond(id, { ...response(pending) });
  }

  // The start takes most of a second; starting now makes the first message faster.
  await driver.ensure();

  return {
    get nativeSessionId() {
      return translator.nativeSessionId;
    },
    send: driver.send,
    abort: driver.abort,
    close: driver.close,

    async steer(message) {
      const uuid = crypto.randomUUID();
      const native = await userMessage(message, uuid, spec.directory);
      const { connection } = await driver.recipient();
      turn.steer(uuid);
      connection.write(native);
    },

    async replyPermission(id, reply) {
      answer(id, (pending) => {
        if (pending.kind !== "permission") return { behavior: "deny", message: "This request is a question." };
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
      const { live } = driver;
      if (!live || needsRestart) return driver.stop();
      const { connection } = live;
      if (next.model !== before.model) await connection.request({ subtype: "set_model", model: next.model });
      if (next.variant !== before.variant)
        await connection.request({ subtype: "apply_flag_settings", settings: { effortLevel: next.variant } });
      if (nativePermissionMode(next) !== nativePermissionMode(before))
        await connection.request({ subtype: "set_permission_mode", mode: nativePermissionMode(next) });
    },
  };
}
