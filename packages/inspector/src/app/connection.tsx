/** The daemon this page talks to. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo } from "react";
import { SandboxAgent } from "sandbox-agent";
import type { Connection } from "../connect/connection-store.ts";
import { requestLog } from "../panels/requests/request-log.ts";

const ClientContext = createContext<SandboxAgent | null>(null);

/** The client of the connected daemon. */
export function useClient(): SandboxAgent {
  const client = useContext(ClientContext);
  if (!client) throw new Error("useClient must be used inside ConnectionProvider");
  return client;
}

/** One client and one cache per connection. */
export function ConnectionProvider({ connection, children }: { connection: Connection; children: ReactNode }) {
  const { client, queries } = useMemo(() => open(connection), [connection]);
  useEffect(() => () => queries.clear(), [queries]);
  return (
    <ClientContext value={client}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </ClientContext>
  );
}

function open({ endpoint, token, headers }: Connection) {
  const client = SandboxAgent.at({
    baseUrl: endpoint,
    fetch: requestLog.fetch,
    ...(token && { token }),
    ...(headers && { headers }),
  });
  // The client itself retries requests that may be repeated.
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 2000 } } });
  return { client, queries };
}
