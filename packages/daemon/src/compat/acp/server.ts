/**
 * One ACP server: the JSON-RPC connection to one client, or to several that share it. Messages come in one by one and
 * from any transport; everything said goes out as frames, responses included.
 */

import type { AnyMessage } from "@agentclientprotocol/sdk/unstable";
import { type Agent, background } from "@sandbox-agent/agents";
import { type AcpEnvelope, AcpId, ProblemError } from "@sandbox-agent/schema";
import * as z from "zod";
import { RecentLog } from "../../follow/recent-log.ts";
import { createApp } from "./app.ts";
import { type AcpContext, Connection } from "./connection.ts";

type Received =
  /** The response to a request, as JSON. */
  | { kind: "request"; response: Promise<string> }
  | { kind: "accepted" }
  /** The answer to a request that was settled before, and what to say about it. */
  | { kind: "late"; error: string };

export type AcpServer = ReturnType<typeof openServer>;

export function openServer(serverId: string, agent: Agent, context: AcpContext) {
  /** Every message it has sent, as JSON. */
  const frames = new RecentLog();
  const waiting = new Map<string, (response: string) => void>();
  /** Requests to the client that wait for an answer; ids below `nextAsked` were asked some time. */
  const asked = new Set<AcpId>();
  let nextAsked = 0;
  let usedAt = Date.now();
  let incoming: ReadableStreamDefaultController<AnyMessage> | null = null;

  function send(message: AnyMessage): void {
    const text = messageText(message);
    frames.push(text);
    if ("method" in message) return noteAsked(message);
    const key = JSON.stringify(message.id);
    waiting.get(key)?.(text);
    waiting.delete(key);
  }

  function noteAsked(message: AnyMessage & { method: string }): void {
    if ("id" in message) {
      asked.add(message.id);
      nextAsked = Math.max(nextAsked, Number(message.id) + 1);
      return;
    }
    const withdrawal = Withdrawal.safeParse(message);
    if (withdrawal.success) asked.delete(withdrawal.data.params.requestId);
  }

  const connection = new Connection(context, agent, () => frames.room());
  const rpc = createApp(connection).connect({
    readable: new ReadableStream<AnyMessage>({
      start(controller) {
        incoming = controller;
      },
    }),
    writable: new WritableStream<AnyMessage>({ write: send }),
  });

  function request(id: AcpId, method: string, params: unknown): Received {
    const key = JSON.stringify(id);
    if (waiting.has(key))
      throw new ProblemError("invalid_request", `a request with id ${key} is running; every request needs its own id`);
    const { promise, resolve } = Promise.withResolvers<string>();
    waiting.set(key, resolve);
    pass({ jsonrpc: "2.0", id, method, params });
    return { kind: "request", response: promise };
  }

  function response(envelope: AcpEnvelope, id: AcpId): Received {
    const isOpen = asked.delete(id);
    const { result = null, error } = envelope;
    if (isOpen) pass({ jsonrpc: "2.0", id, ...(error ? { error } : { result }) });
    const wasAsked = typeof id === "number" && id < nextAsked;
    if (isOpen || !wasAsked || isNoAnswer(envelope)) return { kind: "accepted" };
    return { kind: "late", error: errorText(null, -32600, `request ${id} was settled before this answer came`) };
  }

  function pass(message: AnyMessage): void {
    incoming?.enqueue(message);
  }

  return {
    info: { serverId, agent: agent.id, createdAtMs: Date.now() },
    frames,
    /** Whether nobody reads and nothing is asked of it, and nobody has sent anything for so long. */
    isIdle: (milliseconds: number) => waiting.size === 0 && frames.readers === 0 && Date.now() - usedAt >= milliseconds,
    receive(envelope: AcpEnvelope): Received {
      usedAt = Date.now();
      const { id, method, params } = envelope;
      if (method === undefined) return response(envelope, id ?? null);
      if (hasMoreValues(params, maxParamValues))
        throw new ProblemError("invalid_request", `params of ${method} have more than ${maxParamValues} values`);
      if (id !== undefined) return request(id, method, params);
      pass({ jsonrpc: "2.0", method, params });
      return { kind: "accepted" };
    },
    /** Sends everything up to the ends of its sessions' logs, to every reader. */
    async finish(): Promise<void> {
      await connection.finish();
      // The end of a turn is the answer to its prompt, which is sent a few steps later.
      await new Promise((resolve) => setImmediate(resolve));
      await frames.end();
    },
    /** Answers what is open and leaves all sessions. Resolves when their agents are closed. */
    async close(): Promise<void> {
      rpc.close();
      for (const [key, answer] of waiting) answer(errorText(JSON.parse(key), -32603, "the ACP server was closed"));
      waiting.clear();
      background("end the readers of an ACP server", frames.end());
      await connection.leaveAll();
    },
  };
}

/** The SDK holds each value against every kind of content it could be, and reports all that does not match. */
const maxParamValues = 2000;
/** What is wrong with params may be much longer than they are. */
const maxErrorCharacters = 16 * 1024;

function hasMoreValues(value: unknown, limit: number): boolean {
  let count = 0;
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    count += 1;
    if (count > limit) return true;
    if (typeof next === "object" && next !== null) for (const child of Object.values(next)) open.push(child);
  }
  return false;
}

function messageText(message: AnyMessage): string {
  const text = JSON.stringify(message);
  if (text.length <= maxErrorCharacters || !("error" in message)) return text;
  const { code, message: reason } = message.error;
  return JSON.stringify({ ...message, error: { code, message: reason } });
}

const Cancelled = z.union([
  z.object({ outcome: z.object({ outcome: z.literal("cancelled") }) }),
  z.object({ action: z.literal("cancel") }),
]);

/** Clients settle what they are asked when a turn is cancelled; that it was settled already is no news to them. */
function isNoAnswer({ error, result }: AcpEnvelope): boolean {
  return error !== undefined || Cancelled.safeParse(result).success;
}

const Withdrawal = z.object({ method: z.literal("$/cancel_request"), params: z.object({ requestId: AcpId() }) });

export function errorText(id: AcpId, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}
