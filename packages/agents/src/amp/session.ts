/**
 * A conversation with Amp: one process, which exits after every failed or aborted turn. The next process continues the
 * thread, which is stored on Amp's server.
 */
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { ProblemError } from "@sandbox-agent/schema";
import type { AgentSession, AgentSettings, SessionSpec, Sink, Turn } from "../agent.ts";
import type { AgentExit, Draft } from "../draft.ts";
import type { AgentEnvironment } from "../environment.ts";
import { notice, unparsedLine } from "../item-drafts.ts";
import { type AgentProcess, startAgentProcess } from "../process/agent-process.ts";
import { readLine } from "../process/json-lines.ts";
import { createSessionProcess, type LiveProcess, MessageRejected } from "../process/session-process.ts";
import { promptText } from "../prompt.ts";
import { background } from "../tasks/background.ts";
import { permissionModeOf } from "./gate/policy.ts";
import { openGate } from "./gate/requests.ts";
import { sweepGates } from "./gate/server.ts";
import { userLine } from "./input.ts";
import { launchEnvironment, sessionArguments, writeLaunchFiles } from "./launch.ts";
import { readProgram } from "./program.ts";
import { requireGateable } from "./settings.ts";
import { missingKey, readable, userError } from "./translate/errors.ts";
import { Head } from "./translate/native.ts";
import { createTranslator } from "./translate/translator.ts";

/** What sessions share: the gate program that Amp runs before a tool call. */
export interface AmpHost {
  environment: AgentEnvironment;
  gateProgram(): Promise<string>;
}

interface Live extends LiveProcess {
  process: AgentProcess;
}

export async function openAmpSession(spec: SessionSpec, sink: Sink, host: AmpHost): Promise<AgentSession> {
  const { environment } = host;
  const installed = await environment.installer.require("amp", spec.agentVersion);
  const program = await readProgram(installed, environment.env);
  /** Builds without `--stream-json-input` need a process per message. */
  const takesMany = program.flags.has("--stream-json-input");
  const translator = createTranslator({ threadId: spec.nativeSessionId });
  const folder = join(sessionsFolder(environment), folderName(spec.sessionId));
  let settings: AgentSettings = spec;

  const driver = createSessionProcess<Live>(
    {
      id: "amp",
      turn: {
        get open() {
          return translator.isOpen;
        },
        close: translator.finish,
      },
      start,
      async prepare(turn, { process }) {
        const message = await payload(turn);
        return () => {
          if (!translator.isOpen) translator.onSent();
          process.writeLine(message);
          if (!takesMany) process.closeInput();
        };
      },
      interrupt: ({ process }) => process.signal("SIGINT"),
      exitDrafts,
    },
    { spec, sink, environment },
  );

  await gateFor(settings);
  const gate = await openGate({
    owner: environment.owner,
    mode: () => permissionModeOf(settings),
    isBusy: () => translator.isOpen,
    toolCallFor: translator.toolCallFor,
    emit: (draft) => background("emit a request of amp", driver.emit([draft]), spec.sessionId),
  });

  // ── Process ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The gate program for these settings, or null if no permission is needed. Throws if the gate cannot be used. */
  async function gateFor(wanted: AgentSettings): Promise<string | null> {
    if (permissionModeOf(wanted) === "bypass") return null;
    if (!program.flags.has("--settings-file")) throw ungated(installed.path);
    requireGateable(spec.directory);
    return host.gateProgram();
  }

  async function start(onExit: (exit: AgentExit) => void): Promise<Live> {
    const key = ampKey(spec, environment);
    // Without a key Amp would wait forever for a login.
    if (key === null) throw new MessageRejected(missingKey);
    const files = writeLaunchFiles(folder, spec, await gateFor(settings), environment);
    const { flags } = program;
    const args = sessionArguments({ flags, settings, threadId: translator.threadId, files });
    const process: AgentProcess = startAgentProcess("amp", {
      command: [...installed.command, ...args],
      cwd: spec.directory,
      env: launchEnvironment(spec, installed, { key, gateAddress: gate.address }, environment),
      onLines: (lines) => accept(process, lines),
      onExit: (exit) => onExit(readable(exit)),
    });
    return {
      process,
      async close({ busy }) {
        if (busy) process.signal("SIGINT");
        await process.close();
      },
    };
  }

  function exitDrafts(exit: AgentExit, { isAborting }: { isAborting: boolean }): Draft[] {
    gate.dismissAll();
    if (isAborting) return [{ type: "turn.ended", reason: "aborted", synthetic: true }];
    const error = userError(exit);
    if (!error) return [{ type: "agent.exited", exit }];
    return [
      { type: "error", error },
      { type: "turn.ended", reason: "failed" },
    ];
  }

  // ── Messages of the agent ───────────────────────────────────────────────────────────────────────────────────────

  async function accept(process: AgentProcess, lines: readonly string[]): Promise<void> {
    const drafts = lines.flatMap((line) => translate(process, line));
    if (!translator.isOpen) gate.dismissAll();
    await driver.emit(drafts);
  }

  function translate(process: AgentProcess, line: string): Draft[] {
    const message = readLine(line);
    if ("invalid" in message) return [unparsedLine("amp.stdout", line)];
    driver.acknowledge();
    const drafts = translator.translate(message.value);
    // The process reads nothing after its result; one that takes a single message reads nothing after that message.
    const isOver = Head.safeParse(message.value).data?.type === "result" || (!takesMany && !translator.isOpen);
    if (isOver && driver.live?.process === process) background("stop amp", driver.stop(), spec.sessionId);
    return drafts;
  }

  // ── The session ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** The input for stdin: a line of JSON, or the plain text for builds that take a single message. */
  function payload(turn: Turn): Promise<string> | string {
    return takesMany ? userLine(turn, spec.directory) : promptText(turn);
  }

  async function steer(turn: Turn): Promise<void> {
    const message = await payload(turn);
    const { process } = await driver.recipient();
    translator.onSent();
    process.writeLine(message);
  }

  return {
    get nativeSessionId() {
      return translator.threadId;
    },

    send: driver.send,
    abort: driver.abort,
    ...(program.canSteer && { steer }),

    async replyPermission(id, reply) {
      gate.reply(id, reply);
    },

    async replyQuestion() {},

    async configure(next) {
      await gateFor(next);
      if (translator.threadId !== null && next.model !== settings.model) await sink.emit([fixedMode(next.model)]);
      const needsRestart = (permissionModeOf(next) === "bypass") !== (permissionModeOf(settings) === "bypass");
      settings = next;
      if (needsRestart) await driver.stop();
    },

    async close() {
      await driver.close();
      gate.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The key of the Amp service. Amp does not use keys of model providers. */
function ampKey({ credentials, env }: SessionSpec, environment: AgentEnvironment): string | null {
  return credentials.amp || env.AMP_API_KEY || environment.credentials().other.amp?.api_key || null;
}

function sessionsFolder({ dataDir }: AgentEnvironment): string {
  return join(dataDir, "amp", "sessions");
}

/** Removes files and sockets of a daemon that was killed. A failure is only logged, so that the daemon still starts. */
export function removeLeftovers(environment: AgentEnvironment): void {
  try {
    rmSync(sessionsFolder(environment), { recursive: true, force: true });
    sweepGates(environment.owner);
  } catch (error) {
    environment.log("leftover files of amp cannot be removed", { error: String(error) });
  }
}

/** Session ids are chosen by clients and may not be valid folder names. */
function folderName(sessionId: string): string {
  return createHash("sha256").update(sessionId).digest("hex").slice(0, 32);
}

function ungated(path: string): ProblemError {
  return new ProblemError(
    "mode_not_supported",
    `${path} does not support --settings-file, so permissions for its tool calls cannot be requested; install another version of Amp, or use permissionMode bypass`,
    { agent: "amp" },
  );
}

function fixedMode(model: string | null): Draft {
  const detail = `an Amp thread keeps the mode it was started in; create a new session for ${model ?? "another one"}`;
  return { ...notice(`mode:${model}`, { label: "Mode not changed", detail }), synthetic: true };
}
