/**
 * The changes of one session in its directory. Each turn stores a checkpoint when it starts and when it ends, and emits
 * changes as they happen. A failure here never fails a turn; it is shown in the status.
 */
import { within } from "@sandbox-agent/agents";
import {
  type ChangesStatus,
  type Checkpoint,
  type DiffResponse,
  type FileChangedData,
  ProblemError,
  type UniversalItem,
} from "@sandbox-agent/schema";
import { messageOf } from "../failure.ts";
import { ToolMemory } from "./tool-memory.ts";
import type { Workspace } from "./workspace.ts";
import { canonical, type Workspaces } from "./workspaces.ts";

/** A turn waits at most this long for its first checkpoint before the agent starts. */
const checkpointWaitMs = 1000;
const changesPerEvent = 500;

interface RunningTurn {
  number: number;
  tools: ToolMemory;
  /** Resolves when the checkpoint before the turn is stored. */
  begun: Promise<void>;
  ended(): void;
  released(): void;
}

type CheckpointLabel = Pick<Checkpoint, "reason"> & Partial<Checkpoint>;

interface ChangesOrigin {
  sessionId: string;
  sessionNumber: number;
  directory: string;
  emit(data: FileChangedData): void;
}

export class SessionChanges {
  readonly #directory: string;
  #turn: RunningTurn | null = null;
  #muted = false;
  #forgotten = false;
  /** Resolves when the checkpoint after the last turn is stored. */
  #finishing: Promise<void> = Promise.resolve();

  constructor(
    private readonly origin: ChangesOrigin,
    private readonly workspaces: Workspaces,
  ) {
    this.#directory = canonical(origin.directory);
  }

  get status(): ChangesStatus | null {
    return this.#workspace.problem;
  }

  get #workspace(): Workspace {
    return this.workspaces.at(this.#directory);
  }

  // ── Turns ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Scans the directory before the first turn needs it. */
  prepare(): void {
    this.#workspace.snapshot("hinted").catch(() => {});
  }

  /** Resolves when the agent may start. */
  async turnStarted(number: number): Promise<void> {
    const workspace = this.#workspace;
    const use = workspace.begin();
    const tools = new ToolMemory();
    let stopListening = () => {};
    const released = () => {
      stopListening();
      use.released();
    };
    const listen = () => {
      stopListening = workspace.listen((changes) => this.#emit(number, tools.attribute(changes)));
    };
    // Changes are emitted even if checkpoints fail.
    const begun = this.#store("hinted", { reason: "turn_started", turn: number }).then(listen, listen);
    this.#turn = { number, tools, begun, ended: use.ended, released };
    await within(checkpointWaitMs, begun);
  }

  observe(item: UniversalItem, isCompleted: boolean): void {
    this.#turn?.tools.observe(item, isCompleted);
  }

  turnEnded(): void {
    const turn = this.#turn;
    this.#turn = null;
    turn?.ended();
    if (turn) this.#finishing = this.#finish(turn);
  }

  /** Emits nothing more: the session is closed or deleted. */
  mute(): void {
    this.#muted = true;
    this.turnEnded();
  }

  async #finish({ number, begun, released }: RunningTurn): Promise<void> {
    try {
      await begun;
      // Watch events for the last changes may still be pending, so everything is scanned.
      await this.#store("now", { reason: "turn_ended", turn: number });
    } catch {
      // The status of the workspace contains the error.
    } finally {
      released();
    }
  }

  #emit(number: number, changes: FileChangedData["changes"]): void {
    for (let index = 0; index < changes.length && !this.#muted; index += changesPerEvent)
      this.origin.emit({ turn_id: `turn_${number}`, changes: changes.slice(index, index + changesPerEvent) });
  }

  // ── Checkpoints ─────────────────────────────────────────────────────────────────────────────────────────────────

  list(): Checkpoint[] {
    return this.workspaces.table.ofSession(this.origin.sessionNumber);
  }

  /** Like `list`, but waits for the checkpoint of a turn that has just ended. */
  async listAll(): Promise<Checkpoint[]> {
    await this.#finishing;
    return this.list();
  }

  create(title: string | null): Promise<Checkpoint> {
    return this.#orProblem(() => this.#store("now", { reason: "manual", title }));
  }

  /** The changes of a turn, or with `null` those of the whole session. */
  async diff(turn: number | null): Promise<DiffResponse> {
    return this.#orProblem(async () => {
      // This waits for the checkpoint of a turn that has just ended.
      const now = await this.#workspace.snapshot("now");
      const checkpoints = this.list();
      if (turn === null) return this.#workspace.diff(checkpoints[0]?.tree ?? now, now);
      const start = checkpoints.findIndex(
        (checkpoint) => checkpoint.turn === turn && checkpoint.reason === "turn_started",
      );
      const from = checkpoints[start];
      if (!from) throw this.#problem("not_found", `turn ${turn} has no checkpoint; GET …/checkpoints lists them`);
      const end = checkpoints.find((checkpoint) => checkpoint.turn === turn && checkpoint.reason === "turn_ended");
      // A turn that a crash interrupted has no checkpoint at its end; the start of the next turn is used instead.
      const next = checkpoints.find((checkpoint, index) => index > start && checkpoint.reason === "turn_started");
      return this.#workspace.diff(from.tree, (end ?? next)?.tree ?? now);
    });
  }

  preview(checkpointId: string): Promise<DiffResponse> {
    const checkpoint = this.#find(checkpointId);
    return this.#orProblem(async () => {
      const now = await this.#workspace.snapshot("now");
      return this.#workspace.diff(now, checkpoint.tree);
    });
  }

  async restore(checkpointId: string): Promise<{ restored: Checkpoint; undo: Checkpoint }> {
    const restored = this.#find(checkpointId);
    const workspace = this.#workspace;
    const requireIdle = () => {
      if (workspace.hasRunningTurn)
        throw this.#problem("conflict", "a turn is running in this directory; abort it or wait until it ends");
    };
    requireIdle();
    return this.#orProblem(async () => {
      const tree = await workspace.restore(restored.tree, requireIdle);
      return { restored, undo: this.#insert(tree, { reason: "restore" }) };
    });
  }

  /** The session and its checkpoints were deleted: removes the files that were stored only for them. */
  async forget(): Promise<void> {
    this.#forgotten = true;
    this.mute();
    await this.#finishing;
    await this.workspaces.sweep(this.#directory);
  }

  async #store(how: "hinted" | "now", label: CheckpointLabel): Promise<Checkpoint> {
    return this.#insert(await this.#workspace.snapshot(how), label);
  }

  #insert(tree: string, { reason, turn = null, title = null }: CheckpointLabel): Checkpoint {
    if (this.#forgotten) throw new Error("the session was deleted");
    const { sessionNumber: session } = this.origin;
    return this.workspaces.table.insert({ session, directory: this.#directory, turn, reason, title, tree });
  }

  #find(checkpointId: string): Checkpoint {
    const found = this.list().find((checkpoint) => checkpoint.checkpointId === checkpointId);
    if (found) return found;
    throw this.#problem("not_found", `this session has no checkpoint ${checkpointId}; GET …/checkpoints lists them`);
  }

  async #orProblem<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      throw this.#problem("checkpoints_unavailable", messageOf(error));
    }
  }

  #problem(kind: "not_found" | "conflict" | "checkpoints_unavailable", message: string): ProblemError {
    return new ProblemError(kind, message, { sessionId: this.origin.sessionId });
  }
}
