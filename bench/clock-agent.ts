/** An agent whose deltas are the time they were made at, so that a reader can tell how long they took. */
import type { Agent, AgentSession, Sink } from "@sandbox-agent/agents";
import { capabilities } from "@sandbox-agent/schema";

export const clockAgent: Agent = {
  id: "clock",
  name: "Clock",
  capabilities: capabilities("textMessages", "streamingDeltas", "itemStarted"),
  permissionModes: ["default"],
  inspect: async () => ({ installed: true, credentialsAvailable: true }),
  install: async () => {},
  modes: async () => [{ id: "build", name: "Build", description: "Says the time" }],
  models: async () => ({ models: [{ id: "clock" }], defaultModel: "clock" }),
  open: async (_spec, sink) => openClockSession(sink),
};

export function preciseTime(): number {
  return performance.timeOrigin + performance.now();
}

/** A message is "<count> <events per second>". */
function openClockSession(sink: Sink): AgentSession {
  return {
    nativeSessionId: null,
    async send({ number, text }) {
      const [count = 0, rate = 1] = text.split(" ").map(Number);
      void pace(sink, `clock_${number}`, count, 1000 / rate);
    },
    abort: async () => {},
    replyPermission: async () => {},
    replyQuestion: async () => {},
    configure: async () => {},
    close: async () => {},
  };
}

async function pace(sink: Sink, id: string, count: number, intervalMs: number): Promise<void> {
  const begin = performance.now();
  for (let index = 0; index < count; index++) {
    const wait = begin + index * intervalMs - performance.now();
    if (wait > 0) await Bun.sleep(wait);
    void sink.emit([{ type: "item.delta", native_item_id: id, delta: String(preciseTime()) }]);
  }
  await sink.emit([{ type: "turn.ended", synthetic: true }]);
}
