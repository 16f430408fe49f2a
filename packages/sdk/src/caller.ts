/** Performs operations and reads their results. The generated methods use it. */
import { operationTable } from "./generated/operation-table.ts";
import type { Answer, Operation, OperationId } from "./operation.ts";
import { type OpenStream, type Reset, type Retry, resumeFrames } from "./resume.ts";
import { type Frame, readFrames } from "./sse.ts";
import { addressOf, type CallOptions, type CallRequest, type Transport } from "./transport.ts";
import { joinSignals } from "./wait.ts";

export interface StreamOptions extends CallOptions {
  /** Called when the connection is lost, before the next attempt. */
  onRetry?: (retry: Retry) => void;
  /** Called when the stream restarts with the first event of another log, before that event. */
  onReset?: (reset: Reset) => void;
}

export interface StreamRequest<Id extends OperationId> extends CallRequest<Id>, StreamOptions {
  /** Called with each response, before its frames. */
  onOpen?: (response: Response) => void;
}

export interface Caller {
  /** Aborted when the client is disposed. */
  readonly closed: AbortSignal;
  /** The response itself, for bytes and headers. */
  response<Id extends OperationId>(id: Id, request: CallRequest<Id>): Promise<Response>;
  json<Id extends OperationId>(id: Id, request: CallRequest<Id>): Promise<Answer<Id>>;
  text<Id extends OperationId>(id: Id, request: CallRequest<Id>): Promise<string>;
  nothing<Id extends OperationId>(id: Id, request: CallRequest<Id>): Promise<void>;
  frames<Id extends OperationId>(id: Id, request: StreamRequest<Id>): AsyncGenerator<Frame>;
  /** The data of each frame. Resumable streams continue until they end, the signal is aborted or the reader stops. */
  events<Id extends OperationId, Data>(id: Id, request: StreamRequest<Id>): AsyncGenerator<Data>;
  /** The URL of a WebSocket. It contains the token, because browsers cannot send headers with a WebSocket. */
  socketUrl<Id extends OperationId>(id: Id, request: CallRequest<Id>): string;
}

/** Responses are not validated, so that fields and event types of a newer daemon pass through. */
export function createCaller(transport: Transport): Caller {
  const { call } = transport;

  async function* once<Id extends OperationId>(id: Id, request: StreamRequest<Id>): AsyncGenerator<Frame> {
    yield* readFrames(await call(id, request));
  }

  async function* resumed<Id extends OperationId>(id: Id, request: StreamRequest<Id>): AsyncGenerator<Frame> {
    const { signal, release } = joinSignals(request.signal, transport.closed);
    const operation: Operation = operationTable[id];
    const open: OpenStream = (lastId, signal, log) => {
      const known = log === null ? {} : { log };
      // Until the first frame, the stream starts where the caller wants it to.
      if (lastId === null) return call(id, { ...request, queryChange: known, signal });
      const headers = { ...request.headers, "last-event-id": lastId };
      return call(id, { ...request, queryChange: { ...known, offset: undefined }, headers, signal });
    };
    try {
      yield* resumeFrames(open, { ...request, signal, ends: operation.ends === true });
    } finally {
      release();
    }
  }

  function frames<Id extends OperationId>(id: Id, request: StreamRequest<Id>): AsyncGenerator<Frame> {
    const operation: Operation = operationTable[id];
    return operation.resumes ? resumed(id, request) : once(id, request);
  }

  return {
    closed: transport.closed,
    response: call,
    json: async <Id extends OperationId>(id: Id, request: CallRequest<Id>) => {
      const answer: Answer<Id> = JSON.parse(await (await call(id, request)).text());
      return answer;
    },
    text: async (id, request) => (await call(id, request)).text(),
    async nothing(id, request) {
      const { body } = await call(id, request);
      // The response is complete, even if closing its connection fails.
      void body?.cancel().catch(() => {});
    },
    frames,
    async *events(id, request) {
      for await (const { data } of frames(id, request)) yield JSON.parse(data);
    },
    socketUrl(id, { path, query }) {
      const token = transport.token === undefined ? {} : { access_token: transport.token };
      const address = addressOf(operationTable[id].path, { path, query: { ...query, ...token } });
      return transport.baseUrl.replace(/^http/, "ws") + address;
    },
  };
}
