/** The app: connect first, then the workspace of that daemon. */
import { useCallback, useEffect, useState } from "react";
import type { AccessInfo } from "sandbox-agent";
import { Router } from "wouter";
import { ConnectScreen, type ProbeFailure } from "../connect/connect-screen.tsx";
import { type Connection, readConnections, rememberConnection } from "../connect/connection-store.ts";
import { probe } from "../connect/probe.ts";
import { connectionInUrl, isTrusted } from "../connect/url-connection.ts";
import { Spinner, TooltipProvider } from "../design/index.ts";
import { AccessProvider } from "./access.tsx";
import styles from "./app.module.css";
import { ConnectionProvider } from "./connection.tsx";
import { Workspace } from "./workspace.tsx";

type State =
  | { phase: "connecting"; connection: Connection; quiet: boolean }
  | { phase: "asking"; tried: Connection | null; failure: ProbeFailure | null; fromLink?: boolean }
  | { phase: "connected"; connection: Connection; access: AccessInfo | null };

export interface FirstConnection {
  first: Connection;
  /** Whether it is from the URL of the page. */
  fromUrl: boolean;
  /** Whether it may be used without confirmation. */
  trusted: boolean;
}

export function App({ first, fromUrl, trusted }: FirstConnection) {
  const [state, setState] = useState<State>(
    trusted
      ? { phase: "connecting", connection: first, quiet: !fromUrl }
      : { phase: "asking", tried: first, failure: null, fromLink: true },
  );
  const connect = useCallback(
    (connection: Connection) => setState({ phase: "connecting", connection, quiet: false }),
    [],
  );

  useEffect(() => {
    if (state.phase !== "connecting") return;
    let current = true;
    const { connection, quiet } = state;
    void probe(connection).then((result) => {
      if (!current) return;
      if (result.ok) {
        rememberConnection(connection);
        setState({ phase: "connected", connection, access: result.access });
        return;
      }
      // The user did not choose this connection: a page from a plain web server must not start with an error.
      const isUnrequested = quiet && result.reason !== "token" && connection.endpoint === location.origin;
      setState({ phase: "asking", tried: connection, failure: isUnrequested ? null : result });
    });
    return () => {
      current = false;
    };
  }, [state]);

  if (state.phase === "connected")
    return (
      <ConnectionProvider connection={state.connection}>
        <AccessProvider value={state.access}>
          <TooltipProvider>
            <Router base={import.meta.env.BASE_URL.replace(/\/$/, "")}>
              <Workspace onDisconnect={() => setState({ phase: "asking", tried: state.connection, failure: null })} />
            </Router>
          </TooltipProvider>
        </AccessProvider>
      </ConnectionProvider>
    );
  if (state.phase === "connecting" && state.connection === first && trusted)
    return (
      <div className={styles.waiting}>
        <Spinner label={`Connecting to ${first.endpoint}`} />
      </div>
    );
  const tried = state.phase === "asking" ? state.tried : state.connection;
  return (
    <TooltipProvider>
      <ConnectScreen
        tried={tried}
        failure={state.phase === "asking" ? state.failure : null}
        fromLink={state.phase === "asking" && state.fromLink === true}
        connecting={state.phase === "connecting"}
        onConnect={connect}
      />
    </TooltipProvider>
  );
}

/** The connection in the URL, else the daemon that served the page, with its stored token. In development: the last one used. */
export function firstConnection(): FirstConnection {
  const { connection, cleaned } = connectionInUrl(location.href);
  const known = readConnections();
  if (connection) {
    history.replaceState(history.state, "", cleaned);
    return { first: connection, fromUrl: true, trusted: isTrusted(connection, location.origin, known) };
  }
  const own = known.find(({ endpoint }) => endpoint === location.origin);
  const served = { endpoint: location.origin };
  return { first: import.meta.env.DEV ? (known[0] ?? served) : (own ?? served), fromUrl: false, trusted: true };
}
