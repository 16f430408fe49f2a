/** The interface of a session object. */
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
  /** What to do while a turn runs (default: `queue`). */
  delivery?: Delivery;
}

export interface PromptOptions extends SendOptions {
  /** Adds the agent's own messages as `raw`. */
  includeRaw?: boolean;
}

export interface EventsOptions extends StreamOptions {
  /** The last sequence already seen (default: 0, from the beginning). */
  offset?: number;
  includeRaw?: boolean;
}

/** An open permission. `reply` resolves to false if another client has answered it or the turn has ended. */
export interface PermissionRequest extends PermissionData {
  reply(reply: PermissionReply): Promise<boolean>;
}

/** An open question. Both methods resolve to false if another client has answered it or the turn has ended. */
export interface QuestionRequest extends QuestionData {
  /** The chosen options; a list of lists if the request has several questions. */
  reply(answers: string | string[] | string[][]): Promise<boolean>;
  reject(): Promise<boolean>;
}

/** The names that can be listened to, and the values for listeners. */
export type Signals = { [Type in EventType]: EventOf<Type> } & {
  /** Every event, including those of unknown types. */
  event: UniversalEvent;
  permission: PermissionRequest;
  question: QuestionRequest;
  /** The daemon has another log. The transcript is empty and the events of the new log follow; earlier events are obsolete. */
  reset: Reset;
  /** Listening has failed for good: the session was deleted, or the daemon refuses the request. Not emitted after `close`. */
  close: unknown;
};

export interface Session {
  readonly id: string;

  /**
   * Sends a message and yields the events of its turn, up to its end. The message is sent when the first event is requested.
   * Leaving the loop early does not end the turn; `abort` does.
   */
  prompt(message: string, options?: PromptOptions): AsyncGenerator<UniversalEvent, void, undefined>;
  /** Sends a message; the turn runs in the background. */
  send(message: string, options?: SendOptions): Promise<{ messageId: string }>;
  /** Sends a message that runs after the current turn. */
  queue(message: string, options?: SendOptions): Promise<{ messageId: string }>;
  /** Sends a message to the running turn, if the agent supports it. */
  steer(message: string, options?: SendOptions): Promise<{ messageId: string }>;
  /** Cancels a queued message. */
  cancel(messageId: string, options?: CallOptions): Promise<void>;
  /** Ends the running turn and drops queued messages; the session stays. */
  abort(options?: CallOptions): Promise<void>;

  /**
   * Listens from the start of the session until the returned function or `close` is called. Requests are emitted only while they
   * are open.
   */
  on<Name extends keyof Signals>(name: Name, listener: (value: Signals[Name]) => unknown): () => void;
  /** Past and live events. */
  events(options?: EventsOptions): AsyncGenerator<UniversalEvent, void, undefined>;
  /** The conversation, as far as its events were read by `prompt`, listeners or `refresh`. */
  transcript(): TranscriptResponse;
  /** Reads all events up to now. */
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
  /** Ends the session and deletes its history. */
  delete(options?: CallOptions): Promise<void>;
  /** Stops listening. */
  close(): void;
}
