/** A daemon under measurement. The same work is asked of each, in the words of its own API. */
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
  /** Resolves when the turn is over. */
  prompt(session: string, text: string): Promise<void>;
  /** Of so many deltas. Resolves when it is over and the client has them all, in the way this daemon tells it soonest. */
  turn(session: string, deltas: number): Promise<void>;
  /** Ends all its processes. */
  stop(): Promise<void>;
}

/** A stream of a session's events, of which only the deltas of text are looked at. */
export interface Reader {
  readonly deltas: number;
  /** When the newest delta came (`performance.now()`). */
  readonly newestAt: number;
  /** Resolves when that many deltas came since the start, or none came for a while: a daemon may lose some. */
  settled(deltas: number): Promise<void>;
  /** Called with what has just arrived. */
  onText: ((text: string) => void) | null;
  close(): void;
}
