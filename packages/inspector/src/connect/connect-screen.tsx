/** The connect screen: endpoint and token, recent connections, and errors. */
import { ArrowRight, Terminal, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button, Card, Code, Field, IconButton, Input, Notice } from "../design/index.ts";
import styles from "./connect.module.css";
import { type Connection, forgetConnection, normalizeEndpoint, readConnections } from "./connection-store.ts";
import type { ProbeResult } from "./probe.ts";

export type ProbeFailure = Extract<ProbeResult, { ok: false }>;

export interface ConnectScreenProps {
  /** The last connection that was tried. */
  tried: Connection | null;
  failure: ProbeFailure | null;
  /** `tried` is from a link and was not tried yet; the user must confirm it. */
  fromLink: boolean;
  connecting: boolean;
  onConnect: (connection: Connection) => void;
}

export function ConnectScreen({ tried, failure, fromLink, connecting, onConnect }: ConnectScreenProps) {
  const [endpoint, setEndpoint] = useState(tried?.endpoint ?? "http://127.0.0.1:2468");
  const [token, setToken] = useState(tried?.token ?? "");
  const [recent, setRecent] = useState(readConnections);
  const address = normalizeEndpoint(endpoint);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!address) return;
    const headers = tried?.endpoint === address ? tried.headers : undefined;
    onConnect({ endpoint: address, ...(token && { token }), ...(headers && { headers }) });
  };
  const forget = (each: Connection) => {
    forgetConnection(each.endpoint);
    setRecent(readConnections());
  };

  return (
    <main className={styles.screen}>
      <div className={styles.column}>
        <header className={styles.head}>
          <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width={40} height={40} />
          <div>
            <h1>sandbox-agent</h1>
            <p>Connect to a daemon to work with its agents.</p>
          </div>
        </header>
        <Card className={styles.form}>
          <form onSubmit={submit}>
            <Field label="Endpoint" hint={address ? null : "Enter a URL such as http://127.0.0.1:2468"}>
              <Input
                value={endpoint}
                onChange={({ target }) => setEndpoint(target.value)}
                inputMode="url"
                autoComplete="url"
                spellCheck={false}
                required
              />
            </Field>
            <Field label="Token" hint="Only if the daemon was started with one">
              <Input
                type="password"
                value={token}
                onChange={({ target }) => setToken(target.value)}
                autoComplete="off"
                placeholder="optional"
              />
            </Field>
            {fromLink && tried && <LinkNotice connection={tried} />}
            {failure && tried && <FailureNotice failure={failure} tried={tried} />}
            <Button type="submit" look="primary" disabled={connecting || !address}>
              {connecting ? "Connecting…" : "Connect"}
              <ArrowRight />
            </Button>
          </form>
        </Card>
        {recent.length > 0 && (
          <section aria-labelledby="recent">
            <h2 id="recent" className={styles.title}>
              Recent
            </h2>
            <ul className={styles.recent}>
              {recent.map((each) => (
                <li key={each.endpoint}>
                  <Button look="ghost" onClick={() => onConnect(each)} disabled={connecting}>
                    {each.endpoint}
                  </Button>
                  <IconButton label={`Forget ${each.endpoint}`} onClick={() => forget(each)}>
                    <Trash2 />
                  </IconButton>
                </li>
              ))}
            </ul>
          </section>
        )}
        <section aria-labelledby="start">
          <h2 id="start" className={styles.title}>
            <Terminal aria-hidden /> Start a daemon
          </h2>
          <Code label="Command that starts a daemon" text={startCommand()} />
        </section>
      </div>
    </main>
  );
}

function LinkNotice({ connection: { endpoint, token } }: { connection: Connection }) {
  return (
    <Notice tone="warn">
      <strong>The link that opened this page connects to {endpoint}.</strong> Connect only if you know this daemon: your
      messages {token ? "and the token of the link " : ""}are sent there.
    </Notice>
  );
}

function FailureNotice({ failure, tried }: { failure: ProbeFailure; tried: Connection }) {
  const { endpoint, token } = tried;
  switch (failure.reason) {
    case "token":
      return (
        <Notice tone="bad">
          <strong>{token ? "The daemon rejected this token." : "This daemon requires a token."}</strong> The daemon
          printed an address with its token when it started, and <code>sandbox-agent daemon status</code> prints it
          again. A token that was given with <code>--token</code> or <code>SANDBOX_AGENT_TOKEN</code> is not printed.
        </Notice>
      );
    case "cors":
      return (
        <Notice tone="bad">
          <strong>The daemon does not allow requests from this page (CORS).</strong> Start it with{" "}
          <code>--cors-allow-origin {location.origin}</code>, or open{" "}
          <a href={`${endpoint}/ui/`}>the daemon's own inspector</a>.
        </Notice>
      );
    case "mixed":
      return (
        <Notice tone="bad">
          <strong>The browser blocks requests from an HTTPS page to an HTTP address.</strong> Open{" "}
          <a href={`${endpoint}/ui/`}>the daemon's own inspector</a>, or serve the daemon over HTTPS.
        </Notice>
      );
    case "unreachable":
      return (
        <Notice tone="bad">
          <strong>Cannot reach {endpoint}.</strong> Check that the daemon is running, and that address and port are
          correct.
        </Notice>
      );
    case "other":
      return <Notice tone="bad">{failure.detail}</Notice>;
  }
}

/** A page may use the daemon that served it; any other daemon must allow it. */
function startCommand(): string {
  return `sandbox-agent server
# to use this page with a daemon at another address
sandbox-agent server --cors-allow-origin ${location.origin}`;
}
