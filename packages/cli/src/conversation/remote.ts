/** A session as a conversation at the terminal needs it. */
import type { PermissionReply, UniversalEvent } from "@sandbox-agent/schema";

export interface Remote {
  /** Everything after this sequence, then what happens, until the signal. `onReset`: it begins again with another log. */
  events(after: number, signal: AbortSignal, onReset: () => void): AsyncIterable<UniversalEvent>;
  send(message: string): Promise<void>;
  abort(): Promise<void>;
  replyPermission(permissionId: string, reply: PermissionReply): Promise<void>;
  /** null = rejected. */
  replyQuestion(questionId: string, answers: string[][] | null): Promise<void>;
}
