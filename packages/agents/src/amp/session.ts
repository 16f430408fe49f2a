/**
 * A conversation with Amp: a process of its own, which ends with every failed or aborted turn. The next one continues the
 * thread, which Amp keeps on its server.
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
import { createSessionProcess, type LiveProcess, MessageRefused } from "../process/session-process.ts";
import { promptText } from "../prompt.ts";
import { background } from "../tasks/background.ts";
import { permissionModeOf } from "./gate/policy.ts";
import { openGate } from "./gate/requests.ts";
import { sweepGates } from "./gate/server.ts";
import { userLine } from "./input.ts";
import { launchEnvironment, sessionArguments, writeLaunchFiles } from "./launch.ts";
import { readProgram } from "./program.ts";
import { requireGateable } from "./settings.ts";
import { missingKey, readable, refusal } from "./translate/errors.ts";
import { Head } from "./translate/native.ts";
import { createTranslator } from "./translate/translator.ts";

/** What sessions share: the program that Amp asks before a tool call, written out once. */
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
  /** Builds that cannot read messages as they come get a process for each. */
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
          if (!translator.isOpen) translator.sent();
          process.writeLine(message);
          if (!takesMany) process.closeInput();
        };
      },
      interrupt: ({ process }) => process.signal("SIGINT"),
      exited,
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

  /** The gate program for these settings, or null where nothing is asked for. Throws when there must be one and is not. */
  async function gateFor(wanted: AgentSettings): Promise<string | null> {
    if (permissionModeOf(wanted) === "bypass") return null;
    if (!program.flags.has("--settings-file")) throw ungated(installed.path);
    requireGateable(spec.directory);
    return host.gateProgram();
  }

  async function start(onExit: (exit: AgentExit) => void): Promise<Live> {
    const key = ampKey(spec, environment);
    // Without a key Amp would wait for ever for somebody to log in.
    if (key === null) throw new MessageRefused(missingKey);
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

  function exited(exit: AgentExit, { isAborting }: { isAborting: boolean }): Draft[] {
    gate.dismissAll();
    if (isAborting) return [{ type: "turn.ended", reason: "aborted", synthetic: true }];
    const error = refusal(exit);
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
    if ("garbage" in message) return [unparsedLine("amp.stdout", line)];
    driver.heard();
    const drafts = translator.translate(message.value);
    // After its result the process reads nothing more; one that takes a single message reads nothing after that.
    const isOver = Head.safeParse(message.value).data?.type === "result" || (!takesMany && !translator.isOpen);
    if (isOver && driver.live?.process === process) background("stop amp", driver.stop(), spec.sessionId);
    return drafts;
  }

  // ── The session ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** What goes over stdin: a line of JSON, or for builds that take one message only, its text. */
  function payload(turn: Turn): Promise<string> | string {
    return takesMany ? userLine(turn, spec.directory) : promptText(turn);
  }

  async function steer(turn: Turn): Promise<void> {
    const message = await payload(turn);
    const { process } = await driver.recipient();
    translator.sent();
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

/** The key of the Amp service. Keys of model providers are of no use to Amp. */
function ampKey({ credentials, env }: SessionSpec, environment: AgentEnvironment): string | null {
  return credentials.amp || env.AMP_API_KEY || environment.credentials().other.amp?.api_key || null;
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
  return { ...notice(`mode:${model}`, { label: "Mode not changed", detail }), synthetic: true };
}
