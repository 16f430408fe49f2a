/**
 * The threads of a session: its own, and those of subagents, which Codex does not announce. A subagent belongs to the tool
 * call that started it. The session's turn lasts until the turns of all its threads have ended.
 */
import type { ThreadItem } from "../generated/protocol.ts";

export type Threads = ReturnType<typeof createThreads>;

export function createThreads(root: string) {
  const starters = new Map<string, string>();
  const running = new Map<string, string>();
  let lastStarter: string | undefined;
  return {
    /** Turns that are running, by thread. */
    get running(): ReadonlyMap<string, string> {
      return running;
    },
    isRoot: (threadId: string) => threadId === root,
    /** The parent of all items of this thread; undefined for the session's own thread. */
    parentOf(threadId: string): string | undefined {
      if (threadId === root) return undefined;
      const starter = starters.get(threadId) ?? lastStarter;
      // A subagent may send messages before the call that started it is completed and names its thread.
      if (starter !== undefined) starters.set(threadId, starter);
      return starter;
    },
    /** Records which call started which thread. */
    learn(item: ThreadItem): void {
      if (item.type === "collabAgentToolCall" && item.tool === "spawnAgent") {
        lastStarter = item.id;
        for (const threadId of item.receiverThreadIds) starters.set(threadId, item.id);
      }
      if (item.type === "subAgentActivity" && item.kind === "started") {
        lastStarter = item.id;
        starters.set(item.agentThreadId, item.id);
      }
    },
    turnStarted(threadId: string, turnId: string): void {
      running.set(threadId, turnId);
    },
    turnEnded(threadId: string): void {
      running.delete(threadId);
    },
  };
}
