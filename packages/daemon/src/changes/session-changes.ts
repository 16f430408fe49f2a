/**
 * What one session changes in its directory. Each turn keeps the files when it starts and when it ends, and tells of
 * changes as they happen. Nothing here can fail a turn: what does not work is in the status.
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

/** Longest time a turn waits for the files to be kept before the agent may begin. */
const patienceMs = 1000;
const changesPerEvent = 500;

interface RunningTurn {
  number: number;
  tools: ToolMemory;
  /** Done when the files are kept as they were before it. */
  begun: Promise<void>;
  ended(): void;
  released(): void;
}

type About = Pick<Checkpoint, "reason"> & Partial<Checkpoint>;

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
  /** Done when the last turn that ended has been kept. */
  #finishing: Promise<void> = Promise.resolve();

  constructor(
    private readonly origin: ChangesOrigin,
    private readonly workspaces: Workspaces,
  ) {
    this.#directory = canonical(origin.directory);
  }

  get status(): ChangesStatus | null {
    return this.#workspace.trouble;
  }

  get #workspace(): Workspace {
    return this.workspaces.at(this.#directory);
  }

  // ── Turns ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Gets the directory ready before the first turn needs it. */
  prepare(): void {
    this.#workspace.snapshot("hinted").catch(() => {});
  }

  /** Resolves when the agent may begin. */
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
    // Changes can be told of even where they cannot be kept.
    const begun = this.#keep("hinted", { reason: "turn_started", turn: number }).then(listen, listen);
    this.#turn = { number, tools, begun, ended: use.ended, released };
    await within(patienceMs, begun);
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

  /** Nothing more is told: the session is gone or let go of. */
  mute(): void {
    this.#muted = true;
    this.turnEnded();
  }

  async #finish({ number, begun, released }: RunningTurn): Promise<void> {
    try {
      await begun;
      // Hints about the last changes may still be on their way, so everything is looked at.
      await this.#keep("now", { reason: "turn_ended", turn: number });
    } catch {
      // The status of the workspace has it.
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

  /** The same, with those of a turn that has just ended. */
  async listAll(): Promise<Checkpoint[]> {
    await this.#finishing;
    return this.list();
  }

  create(title: string | null): Promise<Checkpoint> {
    return this.#orProblem(() => this.#keep("now", { reason: "manual", title }));
  }

  /** What a turn changed, or with `null` the whole session. */
  async diff(turn: number | null): Promise<DiffResponse> {
    return this.#orProblem(async () => {
      // Whatever a turn that has just ended still keeps comes first.
      const now = await this.#workspace.snapshot("now");
      const checkpoints = this.list();
      if (turn === null) return this.#workspace.diff(checkpoints[0]?.tree ?? now, now);
      const start = checkpoints.findIndex((kept) => kept.turn === turn && kept.reason === "turn_started");
      const from = checkpoints[start];
      if (!from) throw this.#problem("not_found", `turn ${turn} has no checkpoint; GET …/checkpoints lists them`);
      const end = checkpoints.find((kept) => kept.turn === turn && kept.reason === "turn_ended");
      // A turn that was cut off by a crash ended, as far as can be known, where the next began.
      const next = checkpoints.find((kept, index) => index > start && kept.reason === "turn_started");
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
    const requireRest = () => {
      if (workspace.isWorkedIn)
        throw this.#problem("conflict", "a turn is running in this directory; abort it or wait for its end");
    };
    requireRest();
    return this.#orProblem(async () => {
      const tree = await workspace.restore(restored.tree, requireRest);
      return { restored, undo: this.#insert(tree, { reason: "restore" }) };
    });
  }

  /** The session and its checkpoints are gone; so is what was kept for them alone. */
  async forget(): Promise<void> {
    this.#forgotten = true;
    this.mute();
    await this.#finishing;
    await this.workspaces.sweep(this.#directory);
  }

  async #keep(how: "hinted" | "now", about: About): Promise<Checkpoint> {
    return this.#insert(await this.#workspace.snapshot(how), about);
  }

  #insert(tree: string, { reason, turn = null, title = null }: About): Checkpoint {
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
