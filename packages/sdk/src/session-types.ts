/** What a session object offers. */
import type { StreamOptions } from "./caller.ts";
import type {
  Attachment,
  Delivery,
  PendingRequests,
  PermissionData,
  PermissionReply,
  QuestionData,
  SessionInfo,
  TranscriptResponse,
  UniversalEvent,
  UpdateSessionRequest,
  WaitCondition,
} from "./generated/api.ts";
import type { Reset } from "./resume.ts";
import type { CallOptions } from "./transport.ts";

export type EventType = UniversalEvent["type"];
export type EventOf<Type extends EventType> = Extract<UniversalEvent, { type: Type }>;

export interface SendOptions extends CallOptions {
  attachments?: Attachment[];
  /** What to do while a turn runs; `queue` unless said. */
  delivery?: Delivery;
}

export interface PromptOptions extends SendOptions {
  /** Add the agent's own messages as `raw`. */
  includeRaw?: boolean;
}

export interface EventsOptions extends StreamOptions {
  /** Last sequence already seen; 0, the default, is from the beginning. */
  offset?: number;
  includeRaw?: boolean;
}

/** An open permission. `reply` answers false when somebody else was faster, or the turn is over. */
export interface PermissionRequest extends PermissionData {
  reply(reply: PermissionReply): Promise<boolean>;
}

/** An open question. Both answer false when somebody else was faster, or the turn is over. */
export interface QuestionRequest extends QuestionData {
  /** The chosen options; a list of lists when the request holds several questions. */
  reply(answers: string | string[] | string[][]): Promise<boolean>;
  reject(): Promise<boolean>;
}

/** What can be listened to, and what listeners are given. */
export type Signals = { [Type in EventType]: EventOf<Type> } & {
  /** Every event, those of types this version does not know included. */
  event: UniversalEvent;
  permission: PermissionRequest;
  question: QuestionRequest;
  /** The daemon has another log: the transcript begins anew, and its events follow. What was heard before no longer counts. */
  reset: Reset;
  /** Why listening has ended for good: the session was deleted, or the daemon refuses us. Not after `close`. */
  close: unknown;
};

export interface Session {
  readonly id: string;

  /**
   * Sends a message and yields the events of its turn, up to its end. The message is sent when the first event is asked
   * for. Stopping early does not end the turn; `abort` does.
   */
  prompt(message: string, options?: PromptOptions): AsyncGenerator<UniversalEvent, void, undefined>;
  /** Sends a message; the turn runs in the background. */
  send(message: string, options?: SendOptions): Promise<{ messageId: string }>;
  /** Sends a message that runs after the current turn. */
  queue(message: string, options?: SendOptions): Promise<{ messageId: string }>;
  /** Hands a message to the running turn, where the agent can take it. */
  steer(message: string, options?: SendOptions): Promise<{ messageId: string }>;
  /** Takes a queued message back. */
  cancel(messageId: string, options?: CallOptions): Promise<void>;
  /** Ends the running turn and drops queued messages; the session stays. */
  abort(options?: CallOptions): Promise<void>;

  /**
   * Listens, from the beginning of the session on, until the returned function or `close` is called. Requests are given
   * only while they are open.
   */
  on<Name extends keyof Signals>(name: Name, listener: (value: Signals[Name]) => unknown): () => void;
  /** Past and live events. */
  events(options?: EventsOptions): AsyncGenerator<UniversalEvent, void, undefined>;
  /** The conversation as far as its events were read: by `prompt`, by listening, by `refresh`. */
  transcript(): TranscriptResponse;
  /** Reads what has happened up to now. */
  refresh(options?: CallOptions): Promise<TranscriptResponse>;

  requests(options?: CallOptions): Promise<PendingRequests>;
  replyPermission(permissionId: string, reply: PermissionReply, options?: CallOptions): Promise<void>;
  replyQuestion(questionId: string, answers: string[][], options?: CallOptions): Promise<void>;
  rejectQuestion(questionId: string, options?: CallOptions): Promise<void>;

  /** Resolves when the session reaches the condition, or the first of several. */
  wait(
    until?: WaitCondition | WaitCondition[],
    options?: CallOptions,
  ): Promise<{ reached: WaitCondition; session: SessionInfo }>;
  info(options?: CallOptions): Promise<SessionInfo>;
  update(change: UpdateSessionRequest, options?: CallOptions): Promise<SessionInfo>;
  /** Ends the session; its history stays readable. */
  terminate(options?: CallOptions): Promise<void>;
  /** Ends the session and erases its history. */
  delete(options?: CallOptions): Promise<void>;
  /** Stops listening. */
  close(): void;
}
