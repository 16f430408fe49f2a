/** The selected session: the client object, its info from the daemon, and its conversation. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from "react";
import type { Session, SessionInfo } from "sandbox-agent";
import { useClient } from "./connection.tsx";
import { type Conversation, type ConversationStore, followConversation } from "./conversation-store.ts";
import { followWhileVisible } from "./follow-while-visible.ts";

interface SessionValue {
  session: Session | null;
  info: SessionInfo | null;
}

const SessionContext = createContext<SessionValue>({ session: null, info: null });
const ConversationContext = createContext<ConversationStore | null>(null);

export function useSession(): SessionValue {
  return useContext(SessionContext);
}

/** The conversation. Updates at most once per frame. */
export function useConversation(): Conversation {
  const store = useContext(ConversationContext);
  if (!store) throw new Error("useConversation must be used inside SessionProvider with a session");
  return useSyncExternalStore(store.subscribe, store.read);
}

export function sessionKey(id: string) {
  return ["session", id] as const;
}

export function SessionProvider({ id, children }: { id: string | null; children: ReactNode }) {
  const client = useClient();
  const queries = useQueryClient();
  const session = useMemo(() => (id === null ? null : client.session(id)), [client, id]);
  const store = useMemo(() => session && followConversation(session), [session]);
  const info = useQuery({
    queryKey: sessionKey(id ?? ""),
    queryFn: ({ signal }) => client.getSession(id ?? "", { signal }),
    enabled: id !== null,
  });

  useEffect(() => {
    if (!store || id === null) return;
    return store.onChange(() => {
      void queries.invalidateQueries({ queryKey: sessionKey(id) });
      void queries.invalidateQueries({ queryKey: ["sessions"] });
    });
  }, [store, id, queries]);
  useEffect(() => (session ? followWhileVisible(session) : undefined), [session]);

  const value = useMemo(() => ({ session, info: info.data ?? null }), [session, info.data]);
  return (
    <SessionContext value={value}>
      <ConversationContext value={store}>{children}</ConversationContext>
    </SessionContext>
  );
}
