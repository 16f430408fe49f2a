/** A daemon to measure. Each does the same work through its own API. */
export interface System {
  name: string;
  start(directory: string): Promise<Running>;
}

export interface Running {
  url: string;
  pid: number;
  /** Milliseconds from spawn to the first healthy answer. */
  startMs: number;
  /** A session with the scripted agent (or another). */
  open(session: string, agent?: string): Promise<void>;
  /** Resolves once the stream is open. */
  follow(session: string): Promise<Reader>;
  /** Resolves when the turn has ended. */
  prompt(session: string, text: string): Promise<void>;
  /** A turn of so many deltas. Resolves when it has ended and the client has them all, by the fastest way this daemon offers. */
  turn(session: string, deltas: number): Promise<void>;
  /** Ends all its processes. */
  stop(): Promise<void>;
}

/** A stream of a session's events. Only text deltas are counted. */
export interface Reader {
  readonly deltas: number;
  /** When the newest delta arrived (`performance.now()`). */
  readonly newestAt: number;
  /** Resolves when that many deltas have arrived since the start, or none for a while: a daemon may lose some. */
  settled(deltas: number): Promise<void>;
  /** Called with what has just arrived. */
  onText: ((text: string) => void) | null;
  close(): void;
}
