/** Search among sessions: every word must be somewhere in what people know a session by. */
import type { SessionInfo } from "sandbox-agent";

type Known = Pick<SessionInfo, "sessionId" | "title" | "agent" | "model" | "directory" | "status">;

export function matches({ sessionId, title, agent, model, directory, status }: Known, search: string): boolean {
  const text = [sessionId, title, agent, model, directory, status].join(" ").toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
