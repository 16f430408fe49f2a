/** Searches sessions: every word must occur in one of the fields. */
import type { SessionInfo } from "sandbox-agent";

type Searched = Pick<SessionInfo, "sessionId" | "title" | "agent" | "model" | "directory" | "status">;

export function matches({ sessionId, title, agent, model, directory, status }: Searched, search: string): boolean {
  const text = [sessionId, title, agent, model, directory, status].join(" ").toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
