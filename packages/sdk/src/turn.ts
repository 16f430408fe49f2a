/**
 * One turn from message to end. The message is sent with a stream that the daemon closes at the first event that may need an answer
 * of the client; the rest is read from the session's own stream. Events are read on demand.
 */
import type { Caller } from "./caller.ts";
import { watchConnection } from "./connection.ts";
import { SandboxAgentError } from "./error.ts";
import type { UniversalEvent } from "./generated/api.ts";
import { logHeader, type Reset } from "./resume.ts";
import type { SessionFeed } from "./session-feed.ts";
import type { PromptOptions } from "./session-types.ts";
import { readFrames } from "./sse.ts";
import { randomKey } from "./transport.ts";
import { joinSignals, pauseBefore, sleep } from "./wait.ts";

export async function* promptTurn(
  id: string,
  api: Caller,
  feed: SessionFeed | null,
  message: string,
  { includeRaw = false, signal: callerSignal, headers, ...request }: PromptOptions,
): AsyncGenerator<UniversalEvent, void, undefined> {
  const path = { session_id: id };
  // With the same key, a repeated message is accepted only once.
  const keyed = { "idempotency-key": randomKey(), ...headers };
  const lost = new AbortController();
  const { signal, release } = joinSignals(callerSignal, api.closed, lost.signal);
  let messageId: string | null = null;
  let last = 0;
  let log: string | null = null;

  async function* sendMessage(): AsyncGenerator<UniversalEvent> {
    const body = { ...request, message };
    const query = { include_raw: includeRaw };
    const connection = watchConnection(signal);
    try {
      const call = { path, query, body, headers: keyed, signal: connection.signal };
      const response = await api.response("postMessageStream", call);
      messageId = response.headers.get("x-message-id");
      log = response.headers.get(logHeader);
      feed?.onResponse(response);
      for await (const { data } of readFrames(response, connection.touch)) yield JSON.parse(data);
    } finally {
      connection.close();
    }
  }

  function readRest(): AsyncGenerator<UniversalEvent> {
    const query = { offset: last, include_raw: includeRaw, ...(log && { log }) };
    const onReset = (reset: Reset) => {
      feed?.reset(reset);
      lost.abort(new SandboxAgentError(`the daemon's event log was replaced; the turn of session ${id} is lost`));
    };
    const onOpen = feed?.onResponse ?? (() => {});
    return api.events("streamEvents", { path, query, signal, onOpen, onReset, ...(headers && { headers }) });
  }

  try {
    for (let attempt = 1; ; attempt++) {
      try {
        for await (const event of last === 0 ? sendMessage() : readRest()) {
          // Events of another log may have arrived together with the reset.
          signal.throwIfAborted();
          await feed?.readUntil(event.sequence - 1, { signal });
          feed?.apply(event);
          last = event.sequence;
          yield event;
          if (endsTurn(event, messageId)) return;
        }
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        // A broken stream is retried; a refusal of the daemon is not.
        if (error instanceof SandboxAgentError && !error.transient) throw error;
      }
      if (last === 0) await sleep(pauseBefore(attempt), signal);
    }
  } finally {
    release();
  }
}

function endsTurn(event: UniversalEvent, messageId: string | null): boolean {
  if (event.type === "message.cancelled") return event.data.message_id === messageId;
  return event.type === "turn.ended" || event.type === "session.ended";
}
