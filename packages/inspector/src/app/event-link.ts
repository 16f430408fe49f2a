/** Deep links: a session, and one of its events. */
import { useLocation, useSearch } from "wouter";

/** Paths inside the app; the router adds its base. */
export function sessionPath(sessionId: string): string {
  return `/sessions/${encodeURIComponent(sessionId)}`;
}

/** The session in the address. Read from there, since the router's way of decoding is not exact for every id. */
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
  /** The event this page was opened at. */
  sequence: number | null;
  /** An address that opens the session at this event, for sharing. */
  link(sequence: number): string;
}

export function useEventLink(): EventLink {
  const id = useSessionId() ?? "";
  const asked = new URLSearchParams(useSearch()).get("event") ?? "";
  return {
    sequence: /^\d{1,15}$/.test(asked) ? Number(asked) : null,
    link: (sequence) => `${import.meta.env.BASE_URL.replace(/\/$/, "")}${sessionPath(id)}?event=${sequence}`,
  };
}
