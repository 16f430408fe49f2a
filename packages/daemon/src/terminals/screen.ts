/**
 * The screen of a terminal. While the screen has users, an emulator follows the terminal's log, so that a new viewer gets
 * the present screen instead of the whole output.
 */
import { background } from "@sandbox-agent/agents";
import { type TerminalScreen, TerminalSize } from "@sandbox-agent/schema";
import type { SerializeAddon } from "@xterm/addon-serialize";
import type { Terminal as Emulator } from "@xterm/headless";
import { follow } from "../follow/follow.ts";
import { joined, type LogEntry, type OutputSource } from "../processes/output-log.ts";
import { outputSource } from "../processes/output-source.ts";

/** A screen and the sequence of the last log entry that it includes. */
export interface Snapshot extends TerminalScreen {
  position: number;
}

interface Waiting {
  /** The snapshot must include the entry with this sequence. */
  position: number;
  resolve(snapshot: Snapshot): void;
}

interface Parts {
  emulator: Emulator;
  serializer: SerializeAddon;
}

const scrollback = 1000;

export class Screen {
  readonly #waiting: Waiting[] = [];
  #users = 0;
  #stop: () => void = () => {};
  #parts: Parts | null = null;
  #cursorHidden = false;
  #position = 0;
  #parsing = true;
  /** The final screen of a terminal that has ended; its emulator is disposed. */
  #final: Snapshot | null = null;

  /** `answer` is called with the terminal's replies to queries of a program, such as the cursor position. */
  constructor(
    private readonly log: OutputSource,
    private readonly size: TerminalSize,
    private readonly answer: (reply: string) => void,
  ) {}

  /** Follows the log until every user of the screen has called the returned function. */
  open(): () => void {
    this.#users += 1;
    if (this.#users === 1) background("show a terminal", this.#follow());
    return () => {
      this.#users -= 1;
      if (this.#users === 0) this.#close();
    };
  }

  /** The screen with all output so far. It must be open. */
  snapshot(): Promise<Snapshot> {
    if (this.#final) return Promise.resolve(this.#final);
    const position = this.log.last;
    const now = this.#parts && !this.#parsing && this.#position >= position ? this.#look(this.#parts) : null;
    if (now) return Promise.resolve(now);
    return new Promise((resolve) => this.#waiting.push({ position, resolve }));
  }

  async #follow(): Promise<void> {
    let isStopped = false;
    this.#stop = () => {
      isStopped = true;
    };
    const parts = await createEmulator(this.size);
    if (isStopped) return parts.emulator.dispose();
    parts.emulator.onData(this.answer);
    this.#watchCursor(parts.emulator);
    this.#parts = parts;
    this.#parsing = false;
    const source = outputSource(this.log, (entries) => entries);
    const follower = follow(source, 0, {
      write: (entries) => this.#show(parts, entries),
      caughtUp: () => this.#catchUp(parts),
      end: () => {
        if (this.#parts !== parts) return;
        this.#catchUp(parts);
        this.#finish(parts);
      },
    });
    this.#stop = () => follower.stop();
  }

  async #show(parts: Parts, entries: readonly LogEntry[]): Promise<void> {
    this.#parsing = true;
    for (const entry of joined(entries)) await show(parts.emulator, entry);
    if (this.#parts !== parts) return;
    this.#parsing = false;
    this.#position = entries.at(-1)?.sequence ?? this.#position;
    this.#notify(parts, this.#position);
  }

  /** Does not wait for entries that could not be stored. */
  #catchUp(parts: Parts): void {
    this.#position = this.log.last;
    this.#notify(parts, this.#position);
  }

  #notify(parts: Parts, position: number): void {
    const ready = this.#waiting.filter((waiting) => waiting.position <= position);
    if (ready.length === 0) return;
    const snapshot = this.#look(parts);
    for (const waiting of ready) {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      waiting.resolve(snapshot);
    }
  }

  #look({ emulator, serializer }: Parts): Snapshot {
    const { cols, rows } = emulator;
    const { active } = emulator.buffer;
    const lines = Array.from({ length: rows }, (_, y) => active.getLine(active.baseY + y)?.translateToString(true));
    return {
      cols,
      rows,
      cursor: { x: active.cursorX, y: active.cursorY },
      // Trailing blanks are removed, whether a program wrote them or not.
      text: lines
        .map((line) => line?.trimEnd())
        .join("\n")
        .trimEnd(),
      ansi: serializer.serialize() + (this.#cursorHidden ? "\x1b[?25l" : ""),
      position: this.#position,
    };
  }

  /** The serializer does not include the visibility of the cursor. */
  #watchCursor({ parser }: Emulator): void {
    const watch = (final: "h" | "l") =>
      parser.registerCsiHandler({ prefix: "?", final }, (parameters) => {
        if (parameters.includes(25)) this.#cursorHidden = final === "l";
        return false;
      });
    watch("h");
    watch("l");
  }

  #close(): void {
    const parts = this.#parts;
    this.#parts = null;
    this.#stop();
    parts?.emulator.dispose();
    this.#final = null;
    this.#parsing = true;
    this.#cursorHidden = false;
    this.#position = 0;
    this.#waiting.length = 0;
  }

  #finish(parts: Parts): void {
    this.#final = this.#look(parts);
    this.#parts = null;
    parts.emulator.dispose();
  }
}

/** Loaded with the first terminal, so that the daemon starts faster. */
async function createEmulator({ cols, rows }: TerminalSize): Promise<Parts> {
  const [{ Terminal }, { SerializeAddon }] = await Promise.all([
    import("@xterm/headless"),
    import("@xterm/addon-serialize"),
  ]);
  const emulator = new Terminal({ cols, rows, scrollback, allowProposedApi: true });
  const serializer = new SerializeAddon();
  emulator.loadAddon(serializer);
  return { emulator, serializer };
}

/** Resolves when the emulator has processed the data. */
function show(emulator: Emulator, { kind, data }: Pick<LogEntry, "kind" | "data">): Promise<void> | void {
  if (data.length === 0) return;
  if (kind === "resize") {
    const { cols, rows } = sizeOf(data);
    return emulator.resize(cols, rows);
  }
  return new Promise((resolve) => emulator.write(data, resolve));
}

export function sizeOf(data: Uint8Array): TerminalSize {
  return TerminalSize().parse(JSON.parse(new TextDecoder().decode(data)));
}
