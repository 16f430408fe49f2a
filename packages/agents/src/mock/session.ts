/** A conversation with the mock: runs the script of each message's command and passes replies to it. */
import type { AgentSession, SessionSpec, Sink, Turn } from "../agent.ts";
import type { Draft } from "../draft.ts";
import { promptText } from "../prompt.ts";
import { type MockContext, scriptFor } from "./commands.ts";
import { textMessage } from "./items.ts";

export function openMockSession(spec: SessionSpec, sink: Sink): AgentSession {
  let running: AbortController | null = null;
  let replies = new Map<string, () => void>();
  let steered = 0;

  async function run(turn: Turn, controller: AbortController): Promise<void> {
    const { signal } = controller;
    const context: MockContext = {
      id: (suffix) => `mock_${turn.number}_${suffix}`,
      signal,
      replied: (ids) => Promise.all(ids.map((id) => new Promise<void>((resolve) => replies.set(id, resolve)))),
    };
    for await (const drafts of scriptFor(promptText(turn), context)) {
      if (signal.aborted) return;
      const isEnd = ends.has(drafts.at(-1)?.type);
      if (isEnd) finish(controller);
      await sink.emit(drafts);
      if (isEnd) return;
      await nextTick();
    }
    if (signal.aborted) return;
    finish(controller);
    await sink.emit([{ type: "turn.ended", synthetic: true }]);
  }

  /** From here on the turn can no longer be aborted. */
  function finish(controller: AbortController): void {
    if (running === controller) running = null;
  }

  function stop(): void {
    running?.abort();
    running = null;
    replies = new Map();
  }

  function settle(id: string): void {
    replies.get(id)?.();
    replies.delete(id);
  }

  return {
    nativeSessionId: `mock-${spec.sessionId}`,
    async send(turn) {
      running = new AbortController();
      steered = 0;
      void run(turn, running);
    },
    async steer(turn) {
      steered += 1;
      await sink.emit(textMessage(`mock_${turn.number}_steer_${steered}`, `steered: ${turn.text}`));
    },
    async abort() {
      if (!running) return;
      stop();
      await sink.emit([{ type: "turn.ended", reason: "aborted", synthetic: true }]);
    },
    async replyPermission(permissionId) {
      settle(permissionId);
    },
    async replyQuestion(questionId) {
      settle(questionId);
    },
    async configure() {},
    async close() {
      stop();
    },
  };
}

const ends = new Set<Draft["type"] | undefined>(["turn.ended", "session.ended", "agent.exited"]);

function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
