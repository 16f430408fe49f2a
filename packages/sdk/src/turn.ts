/**
 * One turn from message to end. The message is sent with a stream that the daemon closes at the first event that may need
 * the client; the rest follows on the session's own stream. Nothing is read ahead of who asks for the events.
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
  { includeRaw = false, signal: asked, headers, ...request }: PromptOptions,
): AsyncGenerator<UniversalEvent, void, undefined> {
  const path = { session_id: id };
  // Sent again under the same key, a message is the same message.
  const keyed = { "idempotency-key": randomKey(), ...headers };
  const lost = new AbortController();
  const { signal, release } = joinSignals(asked, api.closed, lost.signal);
  let messageId: string | null = null;
  let last = 0;
  let log: string | null = null;

  async function* begin(): AsyncGenerator<UniversalEvent> {
    const body = { ...request, message };
    const query = { include_raw: includeRaw };
    const connection = watchConnection(signal);
    try {
      const call = { path, query, body, headers: keyed, signal: connection.signal };
      const response = await api.response("postMessageStream", call);
      messageId = response.headers.get("x-message-id");
      log = response.headers.get(logHeader);
      feed?.opened(response);
      for await (const { data } of readFrames(response, connection.touch)) yield JSON.parse(data);
    } finally {
      connection.close();
    }
  }

  function proceed(): AsyncGenerator<UniversalEvent> {
    const query = { offset: last, include_raw: includeRaw, ...(log && { log }) };
    const onReset = (reset: Reset) => {
      feed?.reset(reset);
      lost.abort(new SandboxAgentError(`the daemon has another log, in which there is no such turn of session ${id}`));
    };
    const onOpen = feed?.opened ?? (() => {});
    return api.events("streamEvents", { path, query, signal, onOpen, onReset, ...(headers && { headers }) });
  }

  try {
    for (let attempt = 1; ; attempt++) {
      try {
        for await (const event of last === 0 ? begin() : proceed()) {
          // Events of another log may have come together with the notice of it.
          signal.throwIfAborted();
          await feed?.reach(event.sequence - 1, { signal });
          feed?.take(event);
          last = event.sequence;
          yield event;
          if (endsTurn(event, messageId)) return;
        }
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        // A stream that broke is no answer of the daemon.
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
