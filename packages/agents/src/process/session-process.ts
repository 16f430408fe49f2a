/**
 * The driver of an agent that has one process per session. It starts the process when a message needs it, stops it when
 * idle, restarts it on the same conversation, and ends the turn when the process exits. The agent's folder adds the launch
 * and the translator.
 */
import { type ErrorData, ProblemError } from "@sandbox-agent/schema";
import type { SessionSpec, Sink, Turn } from "../agent.ts";
import type { AgentExit, Draft } from "../draft.ts";
import type { AgentEnvironment } from "../environment.ts";
import { background } from "../tasks/background.ts";
import { idleTimer } from "./idle-timer.ts";

/** A process with the conversation of the session loaded. */
export interface LiveProcess {
  /** Settles when messages can be written, where that is later than the start. Never rejects. */
  readonly ready?: Promise<void>;
  /** Stops the process and its descendants. `busy`: a turn is running. */
  close(options: { busy: boolean }): Promise<void>;
}

/** What an agent provides to the driver. */
export interface ProcessAgent<Live extends LiveProcess> {
  id: string;
  /** The turn as the agent's translator sees it. */
  turn: { readonly open: boolean; close(): void };
  /** Starts a process on the conversation. `onExit` is called once, if the process exits on its own. */
  start(onExit: (exit: AgentExit) => void): Promise<Live>;
  /** Builds the native message. The returned function opens the turn and writes the message synchronously. */
  prepare(message: Turn, live: Live): Promise<() => void>;
  /** Interrupts the running turn. */
  interrupt(live: Live): void;
  /** Whether the process must keep running although no turn is open. */
  isBusy?(live: Live): boolean;
  /** The drafts that end the turn in which the process exited. */
  exitDrafts?(exit: AgentExit, options: { isAborting: boolean }): Draft[];
}

export interface SessionProcessOptions {
  spec: Pick<SessionSpec, "sessionId">;
  sink: Sink;
  environment: Pick<AgentEnvironment, "idleMs" | "log">;
}

/** A message was rejected, but the agent is usable: the turn fails with this error. */
export class MessageRejected extends Error {
  constructor(readonly error: ErrorData) {
    super(error.message);
  }
}

interface Launch<Live> {
  started: Promise<Live>;
  /** Null until the process has started. */
  live: Live | null;
  exit: AgentExit | null;
}

/** How often a process that exits before it got its message is replaced. */
const maxReplacements = 1;

export function createSessionProcess<Live extends LiveProcess>(
  agent: ProcessAgent<Live>,
  { spec: { sessionId }, sink, environment }: SessionProcessOptions,
) {
  const { turn } = agent;
  let current: Launch<Live> | null = null;
  /** The stop of the previous process: two processes must never work on one conversation. */
  let ending: Promise<void> = Promise.resolve();
  let isClosed = false;
  let isAborting = false;
  /** A message is being written. `write` then handles an exit. */
  let isDelivering = false;
  /** Settles when the last message is written or has failed. */
  let delivery: Promise<void> = Promise.resolve();
  /** The message of the turn, until a process that was already running has reacted to it. */
  let unacknowledged: Turn | null = null;
  const idle = idleTimer(environment.idleMs, isIdle, stop);

  function isIdle(): boolean {
    const live = current?.live;
    return Boolean(live && !turn.open && !isDelivering && !agent.isBusy?.(live));
  }

  // ── Process ─────────────────────────────────────────────────────────────────────────────────────────────────────

  function launch(): Launch<Live> {
    if (current) return current;
    const { promise, resolve, reject } = Promise.withResolvers<Live>();
    const launched: Launch<Live> = { started: promise, live: null, exit: null };
    start(launched).then(resolve, reject);
    promise.catch(() => {
      if (current === launched) current = null;
    });
    current = launched;
    return launched;
  }

  async function start(launched: Launch<Live>): Promise<Live> {
    await ending;
    if (isClosed) throw new Error("the session was closed");
    const live = await agent.start((exit) => onExit(launched, exit));
    if (launched.exit) throw exitProblem(agent.id, launched.exit);
    launched.live = live;
    idle.restart();
    return live;
  }

  /** Ends the turn if one is open; otherwise the next message starts another process. */
  function onExit(launched: Launch<Live>, exit: AgentExit): void {
    environment.log(`${agent.id} exited`, { sessionId, message: exit.message });
    launched.exit = exit;
    if (current !== launched) return;
    current = null;
    if (isDelivering || !turn.open) return;
    background(`end the turn in which ${agent.id} exited`, endExited(exit), sessionId);
  }

  async function endExited(exit: AgentExit): Promise<void> {
    const message = isAborting ? null : unacknowledged;
    unacknowledged = null;
    // The process had exited while idle, and the message was written before that was known.
    if (message) return deliver(message).catch(fail);
    turn.close();
    await emit(agent.exitDrafts?.(exit, { isAborting }) ?? [{ type: "agent.exited", exit }]);
  }

  function stop(): Promise<void> {
    const stopped = current;
    current = null;
    if (stopped) ending = end(stopped, { busy: turn.open });
    return ending;
  }

  async function end({ started }: Launch<Live>, options: { busy: boolean }): Promise<void> {
    try {
      await (await started.catch(() => null))?.close(options);
    } catch (error) {
      environment.log(`${agent.id} could not be stopped`, { sessionId, error: String(error) });
    }
  }

  // ── Turns ───────────────────────────────────────────────────────────────────────────────────────────────────────

  function deliver(message: Turn): Promise<void> {
    const delivered = write(message);
    delivery = delivered.catch(() => {});
    return delivered;
  }

  async function write(message: Turn): Promise<void> {
    const wasRunning = current !== null;
    isDelivering = true;
    try {
      for (let replaced = 0; !isAborting; replaced++) {
        const launched = launch();
        const live = await launched.started;
        await live.ready;
        const open = await agent.prepare(message, live).catch((error) => {
          throw new MessageRejected(errorData(error));
        });
        if (isAborting) break;
        if (current === launched) {
          unacknowledged = wasRunning ? message : null;
          return open();
        }
        if (launched.exit && replaced === maxReplacements) throw exitProblem(agent.id, launched.exit);
      }
    } finally {
      isDelivering = false;
    }
    await endTurn([{ type: "turn.ended", reason: "aborted", synthetic: true }]);
  }

  /** The turn fails; the agent stays usable. */
  function fail(error: unknown): Promise<void> {
    if (isAborting) return endTurn([{ type: "turn.ended", reason: "aborted", synthetic: true }]);
    return endTurn([
      { type: "error", error: errorData(error), synthetic: true },
      { type: "turn.ended", reason: "failed", synthetic: true },
    ]);
  }

  async function endTurn(drafts: readonly Draft[]): Promise<void> {
    turn.close();
    await emit(drafts);
  }

  /** Emits drafts. The promise, if any, resolves when there is room for more. */
  function emit(drafts: readonly Draft[]): Promise<void> | void {
    if (!turn.open && !isDelivering) isAborting = false;
    idle.restart();
    if (drafts.length > 0 && !isClosed) return sink.emit(drafts);
  }

  return {
    /** The running process; null if there is none or it is still starting. */
    get live(): Live | null {
      return current?.live ?? null;
    },
    /** Whether the turn is being aborted: further requests and work of the agent are not wanted. */
    get isAborting(): boolean {
      return isAborting;
    },
    /** The process, started if necessary. */
    ensure: (): Promise<Live> => launch().started,
    /** The process that has received the message of the turn. Waits until it is written. */
    async recipient(): Promise<Live> {
      await delivery;
      if (current?.live) return current.live;
      throw new ProblemError("conflict", `${agent.id} has exited, so the turn is over`, { agent: agent.id });
    },
    emit,
    /** The agent has reacted to its message, so it must not be written a second time. */
    acknowledge(): void {
      unacknowledged = null;
    },
    stop,

    /** Rejects when the process cannot be started. */
    async send(message: Turn): Promise<void> {
      isAborting = false;
      await deliver(message).catch((error) => {
        if (isAborting || error instanceof MessageRejected) return fail(error);
        throw error;
      });
    },

    async abort(): Promise<void> {
      if (!turn.open && !isDelivering) return;
      isAborting = true;
      if (turn.open && current?.live) agent.interrupt(current.live);
    },

    async close(): Promise<void> {
      isClosed = true;
      idle.end();
      await stop();
    },
  };
}

/** The process exited before it could be used. */
export function exitProblem(agent: string, { message, code, stderr }: AgentExit): ProblemError {
  const details = { exitCode: code, stderr };
  return new ProblemError("agent_process_exited", `${agent} did not start: ${message}`, { agent, details });
}

function errorData(error: unknown): ErrorData {
  if (error instanceof MessageRejected) return error.error;
  const code = error instanceof ProblemError ? error.kind : "internal_error";
  return { message: error instanceof Error ? error.message : String(error), code };
}
