/**
 * One ACP server: the JSON-RPC connection to one client, or to several that share it. Messages arrive one by one from any
 * transport; all outgoing messages, responses included, are sent as frames.
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
  /** An answer to a request that is closed already, and the error to send back. */
  | { kind: "late"; error: string };

export type AcpServer = ReturnType<typeof openServer>;

export function openServer(serverId: string, agent: Agent, context: AcpContext) {
  /** The outgoing messages, as JSON. */
  const frames = new RecentLog();
  const waiting = new Map<string, (response: string) => void>();
  /** Requests to the client that wait for an answer; every id below `nextOutgoingId` was used. */
  const outgoing = new Set<AcpId>();
  let nextOutgoingId = 0;
  let usedAt = Date.now();
  let incoming: ReadableStreamDefaultController<AnyMessage> | null = null;

  function send(message: AnyMessage): void {
    const text = messageText(message);
    frames.push(text);
    if ("method" in message) return trackOutgoing(message);
    const key = JSON.stringify(message.id);
    waiting.get(key)?.(text);
    waiting.delete(key);
  }

  function trackOutgoing(message: AnyMessage & { method: string }): void {
    if ("id" in message) {
      outgoing.add(message.id);
      nextOutgoingId = Math.max(nextOutgoingId, Number(message.id) + 1);
      return;
    }
    const withdrawal = Withdrawal.safeParse(message);
    if (withdrawal.success) outgoing.delete(withdrawal.data.params.requestId);
  }

  const connection = new Connection(context, agent, () => frames.backPressure());
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
    const isOpen = outgoing.delete(id);
    const { result = null, error } = envelope;
    if (isOpen) pass({ jsonrpc: "2.0", id, ...(error ? { error } : { result }) });
    const wasSent = typeof id === "number" && id < nextOutgoingId;
    if (isOpen || !wasSent || isCancellation(envelope)) return { kind: "accepted" };
    return { kind: "late", error: errorText(null, -32600, `request ${id} was resolved before this answer arrived`) };
  }

  function pass(message: AnyMessage): void {
    incoming?.enqueue(message);
  }

  return {
    info: { serverId, agent: agent.id, createdAtMs: Date.now() },
    frames,
    /** Whether it has no readers and no running requests, and received nothing for that long. */
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
    /** Sends everything up to the ends of its sessions' logs to every reader, then ends the frames. */
    async finish(): Promise<void> {
      await connection.finish();
      // A prompt is answered when its turn ends; the response is sent a few steps of the event loop later.
      await new Promise((resolve) => setImmediate(resolve));
      await frames.end();
    },
    /** Fails open requests and leaves all sessions. Resolves when their agents are released. */
    async close(): Promise<void> {
      rpc.close();
      for (const [key, answer] of waiting) answer(errorText(JSON.parse(key), -32603, "the ACP server was closed"));
      waiting.clear();
      background("end the readers of an ACP server", frames.end());
      await connection.leaveAll();
    },
  };
}

/** The SDK validates each value against every content type, so the cost and the error grow with the number of values. */
const maxParamValues = 2000;
/** The SDK's validation errors may be much longer than the params. */
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

/** Clients answer open requests when a turn is cancelled. Such answers to a closed request are not errors. */
function isCancellation({ error, result }: AcpEnvelope): boolean {
  return error !== undefined || Cancelled.safeParse(result).success;
}

const Withdrawal = z.object({ method: z.literal("$/cancel_request"), params: z.object({ requestId: AcpId() }) });

export function errorText(id: AcpId, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}
