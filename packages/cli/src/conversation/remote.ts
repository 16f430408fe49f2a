/** The operations of a session that a conversation in the terminal needs. */
import type { PermissionReply, UniversalEvent } from "@sandbox-agent/schema";

export interface Remote {
  /** Stored events after this sequence, then live events, until the signal. `onReset`: the stream restarts with another log. */
  events(after: number, signal: AbortSignal, onReset: () => void): AsyncIterable<UniversalEvent>;
  send(message: string): Promise<void>;
  abort(): Promise<void>;
  replyPermission(permissionId: string, reply: PermissionReply): Promise<void>;
  /** Null rejects the question. */
  replyQuestion(questionId: string, answers: string[][] | null): Promise<void>;
}
