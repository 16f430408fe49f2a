/**
 * The rules that hold for the events of every session, whatever the agent, as a function over an event list. Tests of
 * every agent run their events through it.
 */
import { textOf } from "./content-text.ts";
import { type EventOf, UniversalEvent } from "./event.ts";
import { foldEvent, initialState, type SessionState } from "./session-state.ts";

export interface Violation {
  sequence: number;
  rule: string;
  message: string;
}

export interface CheckOptions {
  /** agent.unparsed marks a translator bug, so it is a violation unless the test provokes it. */
  allowUnparsed?: boolean;
  /** A request that stays open after its turn is a violation unless the test expects it. */
  allowOpenRequests?: boolean;
  /** The list is a whole, finished history: no turn, item or request may be left open. */
  finished?: boolean;
}

type Report = (rule: string, message: string) => void;

/** Everything seen so far that the fold does not keep. */
interface Memory {
  eventIds: Set<string>;
  items: Set<string>;
  completed: Set<string>;
  requests: Set<string>;
  previous: UniversalEvent | null;
  beforePrevious: UniversalEvent | null;
}

export function checkEvents(events: readonly UniversalEvent[], options: CheckOptions = {}): Violation[] {
  const violations: Violation[] = [];
  const memory: Memory = {
    eventIds: new Set(),
    items: new Set(),
    completed: new Set(),
    requests: new Set(),
    previous: null,
    beforePrevious: null,
  };
  let state = initialState;

  for (const event of events) {
    const report: Report = (rule, message) => violations.push({ sequence: event.sequence, rule, message });
    checkEnvelope(event, events[0], state, memory, report);
    checkUserItemFollowsTurn(event, memory, report);
    checkByType(event, state, memory, options, report);
    memory.beforePrevious = memory.previous;
    memory.previous = event;
    state = foldEvent(state, event);
  }

  if (options.finished) checkFinished(state, options, violations);
  return violations;
}

function checkEnvelope(
  event: UniversalEvent,
  first: UniversalEvent | undefined,
  state: SessionState,
  memory: Memory,
  report: Report,
): void {
  const parsed = UniversalEvent().safeParse(event);
  if (!parsed.success) report("schema", parsed.error.message);
  if (event.sequence !== state.sequence + 1) report("sequence", `expected ${state.sequence + 1}`);
  if (memory.eventIds.has(event.event_id)) report("event-id", `${event.event_id} was used before`);
  memory.eventIds.add(event.event_id);
  if (event.session_id !== first?.session_id) report("session-id", `event of session ${event.session_id}`);
  if ((event.type === "session.started") !== (event.sequence === 1))
    report("session-started", `${event.type} at sequence ${event.sequence}`);
  if (state.ended && !mayFollowEnd.has(event.type)) report("after-end", `${event.type} after session.ended`);
}

const mayFollowEnd = new Set([
  "turn.started",
  "session.ended",
  "session.updated",
  "message.queued",
  "message.cancelled",
  // The last changes of a turn that ended together with its session.
  "file.changed",
]);

/**
 * The user's message directly follows turn.started: its item.started, then its item.completed. A turn that the agent
 * started on its own has none.
 */
function checkUserItemFollowsTurn(event: UniversalEvent, memory: Memory, report: Report): void {
  if (isUsersTurn(memory.previous)) {
    const isUserItem = event.type === "item.started" && event.data.item.role === "user";
    if (!isUserItem) report("user-item", `turn.started is followed by ${event.type}`);
  }
  if (isUsersTurn(memory.beforePrevious)) {
    const isUserItem = event.type === "item.completed" && event.data.item.role === "user";
    if (!isUserItem) report("user-item", `the user's item is not completed at once but followed by ${event.type}`);
  }
}

function isUsersTurn(event: UniversalEvent | null): boolean {
  return event?.type === "turn.started" && event.data.metadata?.origin !== "agent";
}

function checkByType(
  event: UniversalEvent,
  state: SessionState,
  memory: Memory,
  options: CheckOptions,
  report: Report,
): void {
  switch (event.type) {
    case "turn.started":
      if (state.turn) report("turn", "a turn starts inside a turn");
      return;
    case "turn.ended":
      if (!state.turn) report("turn", "turn.ended without a running turn");
      if (state.turn && (event.data.turn_id ?? null) !== state.turn.turnId)
        report("turn", "turn.ended of another turn");
      checkNothingOpen(state, options, report);
      return;
    case "session.ended":
      checkNothingOpen(state, options, report);
      return;
    case "item.started":
      return checkItemStarted(event, memory, report);
    case "item.delta":
      if (!state.openItems[event.data.item_id]) report("item", `delta of ${event.data.item_id}, which is not open`);
      if (state.openItems[event.data.item_id]?.item.role === "user") report("delta", "delta of a user message");
      return;
    case "item.completed":
      return checkItemCompleted(event, state, memory, report);
    case "permission.requested":
    case "question.requested":
      return checkRequested(event, memory, report);
    case "permission.resolved":
      if (!state.permissions.some((open) => open.permission_id === event.data.permission_id))
        report("request", `resolved ${event.data.permission_id}, which is not open`);
      if (event.data.status === "requested") report("request", "resolved with status requested");
      if (!event.synthetic) report("request", "permission.resolved must be synthetic");
      return;
    case "question.resolved":
      if (!state.questions.some((open) => open.question_id === event.data.question_id))
        report("request", `resolved ${event.data.question_id}, which is not open`);
      if (event.data.status === "requested") report("request", "resolved with status requested");
      if (!event.synthetic) report("request", "question.resolved must be synthetic");
      return;
    case "agent.unparsed":
      if (!options.allowUnparsed) report("unparsed", `${event.data.location}: ${event.data.error}`);
      return;
  }
}

function checkNothingOpen(state: SessionState, options: CheckOptions, report: Report): void {
  for (const itemId of Object.keys(state.openItems)) report("open-item", `${itemId} is still open at the end`);
  if (options.allowOpenRequests) return;
  for (const { permission_id } of state.permissions) report("open-request", `${permission_id} is still open`);
  for (const { question_id } of state.questions) report("open-request", `${question_id} is still open`);
}

function checkItemStarted(event: EventOf<"item.started">, memory: Memory, report: Report): void {
  const { item } = event.data;
  if (memory.items.has(item.item_id)) report("item", `${item.item_id} was started before`);
  if (item.status !== "in_progress") report("item", `${item.item_id} starts with status ${item.status}`);
  if (item.parent_id !== null && !memory.items.has(item.parent_id))
    report("parent", `parent ${item.parent_id} of ${item.item_id} is unknown`);
  memory.items.add(item.item_id);
}

function checkItemCompleted(
  event: EventOf<"item.completed">,
  state: SessionState,
  memory: Memory,
  report: Report,
): void {
  const { item } = event.data;
  const open = state.openItems[item.item_id];
  if (memory.completed.has(item.item_id)) report("item", `${item.item_id} was completed before`);
  else if (!open) report("item", `${item.item_id} is completed but was never started`);
  memory.completed.add(item.item_id);
  if (item.status === "in_progress") report("item", `${item.item_id} is completed with status in_progress`);
  if (open && open.item.kind !== item.kind) report("item", `${item.item_id} changed its kind`);

  const isAgentMessage = item.kind === "message" && item.role !== "user";
  if (open && isAgentMessage && !open.hasDelta && textOf(item.content) !== "")
    report("delta", `message ${item.item_id} has text but no delta`);
  for (const part of item.content) {
    const isToolPart = part.type === "tool_call" || part.type === "tool_result";
    if (isToolPart && part.type !== item.kind) report("tool-item", `${part.type} part inside a ${item.kind} item`);
  }
}

const questionTool = /ask_?-?user_?-?question|exit_?-?plan_?-?mode/i;

function checkRequested(
  event: EventOf<"permission.requested"> | EventOf<"question.requested">,
  memory: Memory,
  report: Report,
): void {
  const id = event.type === "permission.requested" ? event.data.permission_id : event.data.question_id;
  if (memory.requests.has(id)) report("request", `${id} was requested before`);
  memory.requests.add(id);
  if (event.data.status !== "requested") report("request", `${id} is requested with status ${event.data.status}`);
  if (event.type === "permission.requested" && questionTool.test(event.data.action))
    report("question-tool", `${event.data.action} must surface as a question`);
}

function checkFinished(state: SessionState, options: CheckOptions, violations: Violation[]): void {
  const report: Report = (rule, message) => violations.push({ sequence: state.sequence, rule, message });
  if (state.turn) report("turn", "the last turn has no end");
  checkNothingOpen(state, options, report);
}
