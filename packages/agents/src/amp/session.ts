/**
 * A conversation with Amp: one process that takes messages over stdin while there is something to do. It is closed when
 * idle and ends with every failed or aborted turn; the next message continues the thread, which Amp keeps on its server.
 */
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { ProblemError } from "@sandbox-agent/schema";
import type { AgentSession, AgentSettings, SessionSpec, Sink, Turn } from "../agent.ts";
import type { AgentExit, Draft } from "../draft.ts";
import type { AgentEnvironment } from "../environment.ts";
import { type AgentProcess, startAgentProcess } from "../process/agent-process.ts";
import { idleTimer } from "../process/idle-timer.ts";
import { readLine } from "../process/json-lines.ts";
import { promptText } from "../prompt.ts";
import { ampKey } from "./credential.ts";
import { permissionModeOf } from "./gate/policy.ts";
import { openGate } from "./gate/requests.ts";
import { sweepGates } from "./gate/server.ts";
import { userLine } from "./input.ts";
import { launchEnvironment, sessionArguments, writeLaunchFiles } from "./launch.ts";
import { readProgram } from "./program.ts";
import { requireGateable } from "./settings.ts";
import { missingKey, readable, refusal } from "./translate/errors.ts";
import { Head } from "./translate/native.ts";
import { createTranslator, unparsed } from "./translate/translator.ts";

/** What sessions share: the program that Amp asks before a tool call, written out once. */
export interface AmpHost {
  environment: AgentEnvironment;
  gateProgram(): Promise<string>;
}

export async function openAmpSession(spec: SessionSpec, sink: Sink, host: AmpHost): Promise<AgentSession> {
  const { environment } = host;
  const installed = await environment.installer.require("amp", spec.agentVersion);
  const program = await readProgram(installed, environment.env);
  /** Builds that cannot read messages as they come get a process for each. */
  const takesMany = program.flags.has("--stream-json-input");
  const translator = createTranslator({ threadId: spec.nativeSessionId });
  const folder = join(sessionsFolder(environment), folderName(spec.sessionId));
  let settings: AgentSettings = spec;
  let live: AgentProcess | null = null;
  /** The end of the process before, which the next one waits for. */
  let ending: Promise<void> = Promise.resolve();
  const idle = idleTimer(environment.idleMs, isResting, stop);
  let isClosed = false;
  let isAborting = false;
  let isSending = false;
  /** A message that the process, which has worked before, has not reacted to. */
  let unheard: string | null = null;

  await gateFor(settings);
  const gate = await openGate({
    owner: environment.owner,
    mode: () => permissionModeOf(settings),
    isBusy: () => translator.isOpen,
    toolCallFor: translator.toolCallFor,
    emit: (draft) => void sink.emit([draft]),
  });

  // ── Process ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The gate program for these settings, or null where nothing is asked for. Throws when there must be one and is not. */
  async function gateFor(wanted: AgentSettings): Promise<string | null> {
    if (permissionModeOf(wanted) === "bypass") return null;
    if (!program.flags.has("--settings-file")) throw ungated(installed.path);
    requireGateable(spec.directory);
    return host.gateProgram();
  }

  async function ensureRunning(key: string): Promise<AgentProcess> {
    await ending;
    if (live) return live;
    const gateProgram = await gateFor(settings);
    if (isClosed) throw new Error("the session was closed");
    const files = writeLaunchFiles(folder, spec, gateProgram, environment);
    const { flags } = program;
    const args = sessionArguments({ flags, settings, threadId: translator.threadId, files });
    const agent: AgentProcess = startAgentProcess("amp", {
      command: [...installed.command, ...args],
      cwd: spec.directory,
      env: launchEnvironment(spec, installed, { key, gateAddress: gate.address }, environment),
      onLines: (lines) => accept(agent, lines),
      onExit: (exit) => {
        if (live === agent) live = null;
        void left(readable(exit));
      },
    });
    live = agent;
    return agent;
  }

  /** In the middle of a turn that is the end of it; at rest the next message starts another process. */
  async function left(exit: AgentExit): Promise<void> {
    environment.log("amp exited", { sessionId: spec.sessionId, message: exit.message });
    if (isClosed || !translator.isOpen) return;
    const again = unheard;
    unheard = null;
    // It died at rest, and the message came before the news of it.
    if (again !== null && !isAborting) return hand(again).catch(failed);
    gate.dismissAll();
    translator.finish();
    const error = refusal(exit);
    if (isAborting) await sink.emit([{ type: "turn.ended", reason: "aborted", synthetic: true }]);
    else if (error)
      await sink.emit([
        { type: "error", error },
        { type: "turn.ended", reason: "failed" },
      ]);
    else await sink.emit([{ type: "agent.exited", exit }]);
  }

  function stop(): Promise<void> {
    const stopped = live;
    live = null;
    if (stopped) ending = stopped.close();
    return ending;
  }

  // ── Messages of the agent ───────────────────────────────────────────────────────────────────────────────────────

  async function accept(agent: AgentProcess, lines: readonly string[]): Promise<void> {
    const drafts = lines.flatMap((line) => translate(agent, line));
    if (!translator.isOpen) gate.dismissAll();
    if (drafts.length > 0) await sink.emit(drafts);
    idle.restart();
  }

  function translate(agent: AgentProcess, line: string): Draft[] {
    const message = readLine(line);
    if ("garbage" in message) return [unparsed("not a line of JSON", line.slice(0, 10_000))];
    unheard = null;
    // After its result the process reads nothing more.
    if (Head.safeParse(message.value).data?.type === "result" && live === agent) void stop();
    return translator.translate(message.value);
  }

  /** Whether nothing runs in the process. */
  function isResting(): boolean {
    return !translator.isOpen && !isSending;
  }

  // ── The session ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** What goes over stdin: a line of JSON, or for builds that take one message only, its text. */
  function payload(turn: Turn): Promise<string> | string {
    return takesMany ? userLine(turn, spec.directory) : promptText(turn);
  }

  async function hand(message: string): Promise<void> {
    const key = ampKey(spec, environment);
    if (key === null) return refuse();
    if (!takesMany) await stop();
    const hasWorked = live !== null;
    const agent = await ensureRunning(key);
    if (isAborting) return end("aborted");
    unheard = hasWorked ? message : null;
    if (!translator.isOpen) translator.sent();
    agent.writeLine(message);
    if (!takesMany) agent.closeInput();
  }

  /** Without a key Amp would wait for ever for somebody to log in. */
  async function refuse(): Promise<void> {
    await sink.emit([{ type: "error", error: missingKey, synthetic: true }]);
    return end("failed");
  }

  async function failed(cause: unknown): Promise<void> {
    const message = cause instanceof Error ? cause.message : String(cause);
    await sink.emit([{ type: "error", error: { message, code: "agent_process_exited" }, synthetic: true }]);
    return end("failed");
  }

  async function end(reason: "aborted" | "failed"): Promise<void> {
    translator.finish();
    await sink.emit([{ type: "turn.ended", reason, synthetic: true }]);
  }

  async function steer(turn: Turn): Promise<void> {
    const message = await payload(turn);
    translator.sent();
    live?.writeLine(message);
  }

  return {
    get nativeSessionId() {
      return translator.threadId;
    },

    async send(turn) {
      isSending = true;
      isAborting = false;
      try {
        await hand(await payload(turn));
      } finally {
        isSending = false;
      }
    },

    ...(program.canSteer && { steer }),

    async abort() {
      if (isResting()) return;
      isAborting = true;
      if (translator.isOpen) live?.signal("SIGINT");
    },

    async replyPermission(id, reply) {
      gate.reply(id, reply);
    },

    async replyQuestion() {},

    async configure(next) {
      await gateFor(next);
      if (translator.threadId !== null && next.model !== settings.model) await sink.emit([fixedMode(next.model)]);
      const needsRestart = (permissionModeOf(next) === "bypass") !== (permissionModeOf(settings) === "bypass");
      settings = next;
      if (needsRestart) await stop();
    },

    async close() {
      isClosed = true;
      idle.end();
      if (translator.isOpen) live?.signal("SIGINT");
      await stop();
      gate.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function sessionsFolder({ dataDir }: AgentEnvironment): string {
  return join(dataDir, "amp", "sessions");
}

/** Files and sockets of a run that was killed. What cannot be removed must not keep the daemon from starting. */
export function removeLeftovers(environment: AgentEnvironment): void {
  try {
    rmSync(sessionsFolder(environment), { recursive: true, force: true });
    sweepGates(environment.owner);
  } catch (error) {
    environment.log("what the last run left of amp cannot be removed", { error: String(error) });
  }
}

/** Ids of sessions are chosen by clients; a folder needs a name. */
function folderName(sessionId: string): string {
  return createHash("sha256").update(sessionId).digest("hex").slice(0, 32);
}

function ungated(path: string): ProblemError {
  return new ProblemError(
    "mode_not_supported",
    `${path} does not take --settings-file, so its tool calls cannot be asked for; install another version of Amp, or use permissionMode bypass`,
    { agent: "amp" },
  );
}

function fixedMode(model: string | null): Draft {
  const detail = `an Amp thread keeps the mode it was begun in; create a new session for ${model ?? "another one"}`;
  const content = [{ type: "status" as const, label: "Mode not changed", detail }];
  const item = { native_item_id: `mode:${model}`, kind: "status", role: null, content } as const;
  return { type: "item.completed", item: { ...item, content }, synthetic: true };
}
