/**
 * The event streams of a server, one per directory, routed by session. Events of subagents go to the conversation that
 * started them. There is also one stream for all directories, but the server sends events on it about 10 ms later.
 */
import { LineSplitter } from "../process/lines.ts";
import { withoutSecrets } from "../process/secrets.ts";
import { background } from "../tasks/background.ts";
import { authorization, problem, type ServerAddress } from "./http.ts";
import { parentOfCreated, sessionOf } from "./translate/native.ts";

export interface SessionListener {
  event(payload: unknown): Promise<void>;
  /** The stream has broken. */
  lost(reason: string): Promise<void>;
}

export function createRouter() {
  const listeners = new Map<string, SessionListener>();
  /** The conversation that each native session belongs to. */
  const owners = new Map<string, string>();

  async function route(payload: unknown): Promise<void> {
    const session = sessionOf(payload);
    if (session === null) return;
    const parent = parentOfCreated(payload);
    const parentOwner = parent === null ? undefined : owners.get(parent);
    if (parentOwner !== undefined) owners.set(session, parentOwner);
    const owner = owners.get(session);
    if (owner !== undefined) await listeners.get(owner)?.event(payload);
  }

  function listen(session: string, listener: SessionListener): () => void {
    listeners.set(session, listener);
    owners.set(session, session);
    return () => {
      listeners.delete(session);
      for (const [member, owner] of owners) if (owner === session) owners.delete(member);
    };
  }

  async function lost(reason: string): Promise<void> {
    const all = [...listeners.values()];
    listeners.clear();
    await Promise.all(all.map((listener) => listener.lost(reason)));
  }

  return { route, listen, lost };
}

/** Reads the stream until it ends. Resolves with its first event; from then on no event is missed. */
export async function readEvents(
  address: ServerAddress,
  directory: string,
  secrets: readonly string[],
  signal: AbortSignal,
  onPayload: (payload: unknown) => Promise<void>,
  onEnd: (reason: string) => Promise<void>,
): Promise<void> {
  const response = await fetch(`${address.url}/event?${new URLSearchParams({ directory })}`, {
    headers: { authorization: authorization(address) },
    signal,
  });
  const { body } = response;
  if (!response.ok || !body)
    throw problem("stream_error", `OpenCode answered the request for its event stream with ${response.status}`);
  const reader = body.getReader();
  const splitter = new LineSplitter();

  async function next(): Promise<boolean> {
    const { value, done } = await reader.read();
    if (done) return false;
    for (const line of splitter.push(value)) {
      if (line.startsWith("data:")) await onPayload(JSON.parse(withoutSecrets(line.slice(5), secrets)));
    }
    return true;
  }

  await next();
  async function rest(): Promise<void> {
    while (await next());
  }
  const ended = rest().then(
    () => onEnd("the event stream ended"),
    (error: Error) => onEnd(`the event stream failed: ${error.message}`),
  );
  background("read the event stream of OpenCode", ended);
}
