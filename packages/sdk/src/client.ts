/** The client: every operation of the API as a method, sessions as objects, and optionally an embedded daemon. */
import { type Caller, createCaller } from "./caller.ts";
import type { EmbeddedOptions } from "./embedded/options.ts";
import { SandboxAgentError } from "./error.ts";
import type {
  CreateSessionRequest,
  CreateSessionResponse,
  MessageRequest,
  SessionInfo,
  UniversalEvent,
} from "./generated/api.ts";
import { createMethods, type Methods } from "./generated/methods.ts";
import type { Query } from "./operation.ts";
import { openSession } from "./session.ts";
import type { PromptOptions, Session } from "./session-types.ts";
import { type CallOptions, type ConnectOptions, createTransport, randomKey } from "./transport.ts";
import { promptTurn } from "./turn.ts";

/** Default page size of `sessions`. */
const pageSize = 100;

export interface NewSession extends CreateSessionRequest {
  /** Default: a random id. */
  sessionId?: string;
}

export interface StartOptions extends Pick<ConnectOptions, "fetch" | "headers"> {
  spawn?: EmbeddedOptions | boolean;
  signal?: AbortSignal;
}

export interface SandboxAgent extends Omit<Methods, "createSession"> {
  readonly baseUrl: string;
  readonly token: string | undefined;
  /** Creates a session and returns it as an object. */
  createSession(request: NewSession, options?: CallOptions): Promise<Session>;
  /** The plain operation: creates a session with this id. */
  createSession(
    sessionId: string,
    request: CreateSessionRequest,
    options?: CallOptions,
  ): Promise<CreateSessionResponse>;
  /** An existing session as an object. Sends nothing until it is used. It reads events from the start of the session. */
  session(sessionId: string): Session;
  /** All sessions that match the filters, newest first, read page by page. `limit` is the page size. */
  sessions(
    filter?: Omit<Query<"listSessions">, "cursor">,
    options?: CallOptions,
  ): AsyncGenerator<SessionInfo, void, undefined>;
  /** One turn, like `prompt` of a session, but without reading the rest of the session. */
  streamTurn(
    sessionId: string,
    request: MessageRequest,
    options?: PromptOptions,
  ): AsyncGenerator<UniversalEvent, void, undefined>;
  /** The event stream as a response, without reconnecting. */
  getEventsSse(sessionId: string, query?: Query<"streamEvents">, options?: CallOptions): Promise<Response>;
  /** Any operation by its id: as response, JSON or frames. */
  readonly api: Caller;
  /** Ends all streams and listeners. Stops an embedded daemon, and kills it after 5 seconds. */
  dispose(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A client of a running daemon. Does not check whether it can be reached. */
function at(options: ConnectOptions): SandboxAgent {
  return createClient(options, async () => {});
}

/** A client of a running daemon. Rejects if it cannot be reached. */
async function connect({ signal, ...options }: ConnectOptions & { signal?: AbortSignal }): Promise<SandboxAgent> {
  const client = at(options);
  await client.getHealth(signal && { signal });
  return client;
}

/** Starts a daemon. It stops with `dispose`, or when this process ends. */
async function start({ spawn = true, signal, ...options }: StartOptions = {}): Promise<SandboxAgent> {
  if (spawn === false)
    throw new TypeError("start() starts a daemon; use SandboxAgent.connect() for one that is already running");
  // By package name: in browsers and workers the package maps it to another module.
  const { startEmbedded } = await import("sandbox-agent/embedded");
  const daemon = await startEmbedded(spawn === true ? {} : spawn, signal);
  return createClient({ ...options, baseUrl: daemon.url, token: daemon.token }, daemon.stop);
}

export const SandboxAgent = { at, connect, start };

function createClient(options: ConnectOptions, stop: () => Promise<void>): SandboxAgent {
  const closing = new AbortController();
  const transport = createTransport(options, closing.signal);
  const api = createCaller(transport);
  const methods = createMethods(api);
  const session = (id: string) => openSession(id, api, methods);

  function createSession(request: NewSession, options?: CallOptions): Promise<Session>;
  function createSession(
    id: string,
    request: CreateSessionRequest,
    options?: CallOptions,
  ): Promise<CreateSessionResponse>;
  async function createSession(
    first: string | NewSession,
    second?: CreateSessionRequest | CallOptions,
    third?: CallOptions,
  ): Promise<Session | CreateSessionResponse> {
    if (typeof first === "string") {
      if (!second || !("agent" in second)) throw new TypeError("createSession(id, request) needs an agent");
      return methods.createSession(first, second, third);
    }
    const { sessionId = `ses_${randomKey()}`, ...request } = first;
    await methods.createSession(sessionId, request, second && !("agent" in second) ? second : undefined);
    return session(sessionId);
  }

  async function* sessions(
    filter: Omit<Query<"listSessions">, "cursor"> = {},
    options?: CallOptions,
  ): AsyncGenerator<SessionInfo, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await methods.listSessions({ limit: pageSize, ...filter, ...(cursor && { cursor }) }, options);
      yield* page.sessions;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }

  async function dispose(): Promise<void> {
    closing.abort(new SandboxAgentError("the client was disposed"));
    await stop();
  }

  return {
    ...methods,
    baseUrl: transport.baseUrl,
    token: transport.token,
    createSession,
    session,
    sessions,
    streamTurn: (id, { message, ...request }, options) =>
      promptTurn(id, api, null, message, { ...request, ...options }),
    getEventsSse: (id, query, options) => api.response("streamEvents", { path: { session_id: id }, query, ...options }),
    api,
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}
