/**
 * Accepts the messages of clients. Each one starts a turn, is queued, or is sent to the running turn. A message that is
 * repeated with its idempotency key is recognized and not accepted twice.
 */
import type { Turn } from "@sandbox-agent/agents";
import { isQuiet, type MessageRequest, ProblemError } from "@sandbox-agent/schema";
import type { KeyedMessage } from "../store/session-table.ts";
import type { AgentLink, SessionAgent } from "./agent-link.ts";
import { userItem } from "./client-events.ts";
import type { SessionContext } from "./context.ts";
import type { Journal } from "./journal.ts";
import type { Turns } from "./turns.ts";

/** How a message was accepted. Its events come after `afterSequence`. */
export type Posted = Pick<KeyedMessage, "messageId" | "afterSequence" | "steered">;

export interface MailboxOptions {
  sessionId: string;
  agent: SessionAgent;
  journal: Journal;
  link: AgentLink;
  turns: Turns;
  context: SessionContext;
}

export class Mailbox {
  constructor(private readonly options: MailboxOptions) {}

  async post(request: MessageRequest, key: string | null, messageId: string): Promise<Posted> {
    const repeated = this.#findRepeated(key, request);
    if (repeated) return repeated;
    this.#requireOpen();

    const { journal, turns } = this.options;
    const { message, attachments = [], delivery = "queue" } = request;
    if (delivery === "steer" && journal.state.turn) return this.#steer(messageId, request, key);
    const posted = { messageId, afterSequence: journal.state.sequence, steered: false };
    const storeKey = () => this.#storeKey(key, request, posted);
    if (isQuiet(journal.state)) {
      turns.start({ messageId, message, attachments }, storeKey);
      return posted;
    }
    if (delivery === "reject")
      throw this.#problem("conflict", 'a turn is running; wait until it ends, or use delivery "queue"');
    const data = { message_id: messageId, message, ...(attachments.length > 0 && { attachments }) };
    journal.record([{ type: "message.queued", data, synthetic: true }], { durable: true, inSameTransaction: storeKey });
    return posted;
  }

  cancel(messageId: string): void {
    const { journal } = this.options;
    if (!journal.state.queue.some((queued) => queued.messageId === messageId))
      throw this.#problem("not_found", `no message ${messageId} is queued; it may have been started already`);
    const data = { message_id: messageId };
    journal.record([{ type: "message.cancelled", data, synthetic: true }], { durable: true });
  }

  async #steer(messageId: string, request: MessageRequest, key: string | null): Promise<Posted> {
    const { agent, journal, link, turns } = this.options;
    await turns.delivered;
    const agentSession = await link.current;
    // While the agent was starting, the same message may have arrived again or the turn may have ended.
    const repeated = this.#findRepeated(key, request);
    if (repeated) return repeated;
    if (!journal.state.turn) return this.post(request, key, messageId);
    if (!agentSession?.steer)
      throw this.#problem(
        "conflict",
        `${agent.id} does not accept messages during a turn; use delivery "queue", or abort the turn first`,
      );
    const { message: text, attachments = [] } = request;
    const turn: Turn = { number: journal.state.turnCount, text, attachments };
    const posted = { messageId, afterSequence: journal.state.sequence, steered: true };
    const inSameTransaction = () => this.#storeKey(key, request, posted);
    journal.record(userItem(journal.state, turn, null), { durable: true, inSameTransaction });
    // The message is in the log and cannot be rejected any more, so a failure to deliver it becomes an error event.
    await agentSession.steer(turn).catch((error) => journal.recordError(error, "steer_failed"));
    return posted;
  }

  #requireOpen(): void {
    const { agent, journal, sessionId } = this.options;
    const { ended } = journal.state;
    if (ended?.reason === "terminated")
      throw this.#problem("invalid_request", "the session was terminated; create a new one");
    if (ended?.reason !== "error") return;
    const details = { exitCode: ended.exit_code ?? null, stderr: ended.stderr ?? null };
    const message = ended.message ?? "the agent cannot be started; create a new session";
    throw new ProblemError("agent_process_exited", message, { agent: agent.id, sessionId, details });
  }

  /** The message that was sent under this key before. */
  #findRepeated(key: string | null, request: MessageRequest): Posted | null {
    const { context, journal } = this.options;
    const found = key === null ? null : context.table.findMessage(journal.number, key);
    if (found && found.fingerprint !== fingerprint(request))
      throw this.#problem("conflict", "this Idempotency-Key was already used for a different message; use a new key");
    return found;
  }

  #storeKey(key: string | null, request: MessageRequest, posted: Posted): void {
    const { context, journal } = this.options;
    if (key === null) return;
    context.table.insertMessage(journal.number, { ...posted, key, fingerprint: fingerprint(request) });
  }

  #problem(kind: ConstructorParameters<typeof ProblemError>[0], message: string): ProblemError {
    return new ProblemError(kind, message, { sessionId: this.options.sessionId });
  }
}

function fingerprint(request: MessageRequest): string {
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(request)).digest("base64");
}
