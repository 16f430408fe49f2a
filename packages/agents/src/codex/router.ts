/**
 * Routes messages of the server to sessions by thread. Messages of an unknown thread are queued: the thread is either being
 * started, or it belongs to a subagent of a known thread.
 */
import * as z from "zod";
import type { RpcId, RpcMessage } from "../process/json-rpc.ts";
import { background } from "../tasks/background.ts";

export interface ThreadListener {
  notification(message: RpcMessage): Promise<void>;
  request(id: RpcId, message: RpcMessage): Promise<void>;
  /** A line of the server that is not a message. */
  invalid(line: string, error: string): Promise<void>;
}

interface RouterOptions {
  /** The thread that started this thread, or null. */
  parentOf(threadId: string): Promise<string | null>;
  log(message: string, fields?: Record<string, unknown>): void;
}

type Delivery = (listener: ThreadListener | null) => Promise<void> | void;

interface Queue {
  deliveries: Delivery[];
  flushing: boolean;
}

const Addressed = z.object({ threadId: z.string() });

/** Broadcast for all threads, so they are not routed. */
const broadcast = new Set(["thread/started", "thread/status/changed"]);

/** How long messages of a thread without a parent wait for a session that is starting it. */
const adoptionGraceMs = 2000;

export function createRouter({ parentOf, log }: RouterOptions) {
  const listeners = new Map<string, ThreadListener>();
  const waiting = new Map<string, Queue>();

  /** Delivers in order: queued messages of a thread come first. */
  async function deliver(threadId: string, delivery: Delivery): Promise<void> {
    const queue = waiting.get(threadId);
    if (queue) {
      queue.deliveries.push(delivery);
      return;
    }
    const listener = listeners.get(threadId);
    if (listener) return delivery(listener);
    waiting.set(threadId, { deliveries: [delivery], flushing: false });
    // Not awaited: the response to `thread/read` arrives on the same pipe as the messages that are delivered here.
    background("find the session of a thread", adopt(threadId));
  }

  async function adopt(threadId: string): Promise<void> {
    const parent = await parentOf(threadId).catch(() => null);
    const listener = parent === null ? undefined : listeners.get(parent);
    if (listener) listeners.set(threadId, listener);
    else if (!listeners.has(threadId)) await Bun.sleep(adoptionGraceMs);
    await flush(threadId);
  }

  async function flush(threadId: string): Promise<void> {
    const queue = waiting.get(threadId);
    if (!queue || queue.flushing) return;
    queue.flushing = true;
    const listener = listeners.get(threadId) ?? null;
    if (!listener) log("codex: messages of an unknown thread", { threadId, messages: queue.deliveries.length });
    for (let next = queue.deliveries.shift(); next; next = queue.deliveries.shift()) await next(listener);
    waiting.delete(threadId);
  }

  return {
    attach(threadId: string, listener: ThreadListener): void {
      listeners.set(threadId, listener);
      background("deliver the messages of a thread", flush(threadId));
    },
    detach(threadId: string): void {
      const listener = listeners.get(threadId);
      for (const [id, other] of listeners) if (other === listener) listeners.delete(id);
    },
    async notification(message: RpcMessage): Promise<void> {
      const address = Addressed.safeParse(message.params);
      if (!address.success || broadcast.has(message.method ?? "")) return;
      await deliver(address.data.threadId, (listener) => listener?.notification(message));
    },
    /** `reject` is called if there is no session for the thread. */
    async request(id: RpcId, message: RpcMessage, reject: () => void): Promise<void> {
      const address = Addressed.safeParse(message.params);
      if (!address.success) return reject();
      await deliver(address.data.threadId, (listener) => (listener ? listener.request(id, message) : reject()));
    },
    async invalid(line: string, error: string): Promise<void> {
      log("codex: a line is not a message", { error, line: line.slice(0, 200) });
      for (const listener of new Set(listeners.values())) await listener.invalid(line, error);
    },
  };
}
