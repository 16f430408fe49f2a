/** Deep links: a session, and one of its events. */
import { useLocation, useSearch } from "wouter";

/** Paths inside the app; the router adds its base. */
export function sessionPath(sessionId: string): string {
  return `/sessions/${encodeURIComponent(sessionId)}`;
}

/** The session id in the URL. Read from `location`, because the router does not decode every id correctly. */
export function useSessionId(): string | null {
  useLocation();
  const [, id] = location.pathname.match(/\/sessions\/([^/]+)$/) ?? [];
  return id === undefined ? null : decoded(id);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

export interface EventLink {
  /** The event that the URL points to. */
  sequence: number | null;
  /** Path that opens the session at this event. */
  link(sequence: number): string;
}

export function useEventLink(): EventLink {
  const id = useSessionId() ?? "";
  const requested = new URLSearchParams(useSearch()).get("event") ?? "";
  return {
    sequence: /^\d{1,15}$/.test(requested) ? Number(requested) : null,
    link: (sequence) => `${import.meta.env.BASE_URL.replace(/\/$/, "")}${sessionPath(id)}?event=${sequence}`,
  };
}
