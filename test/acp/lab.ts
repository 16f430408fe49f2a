/**
 * Clients of the ACP API: the official SDK's client side, over HTTP, WebSocket or standard input and output, with a record
 * of what it received.
 */
import { join } from "node:path";
import { createWebSocketStream } from "@agentclientprotocol/sdk/experimental/ws-client";
import {
  type AnyMessage,
  type ClientCapabilities,
  type ClientConnection,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  client as clientApp,
  type NewSessionResponse,
  ndJsonStream,
  type RequestPermissionOutcome,
  type RequestPermissionRequest,
  type SessionUpdate,
  type Stream,
} from "@agentclientprotocol/sdk/unstable";
import { onTestFinished } from "vitest";
import * as z from "zod";
import type { TestClient } from "../harness/client.ts";
import { temporaryDirectory } from "../harness/daemon.ts";
import { readFrames } from "../harness/sse.ts";

export interface EditorOptions {
  capabilities?: ClientCapabilities;
  onPermission?(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionOutcome>;
  onForm?(request: CreateElicitationRequest): Promise<CreateElicitationResponse>;
  onExtension?(method: string, params: unknown): Promise<unknown>;
}

/** An editor: asks for a session, shows updates, answers requests. */
export interface Editor {
  agent: ClientConnection["agent"];
  updates: SessionUpdate[];
  notifications: { method: string; params: unknown }[];
  /** The text of all chunks of this kind so far. */
  text(kind: SessionUpdate["sessionUpdate"]): string;
  newSession(): Promise<NewSessionResponse>;
  prompt(sessionId: string, text: string): Promise<string>;
  /** Resolves when the condition holds, immediately or after some message. */
  until(condition: () => boolean): Promise<void>;
  close(): void;
}

export function select(optionId: string): RequestPermissionOutcome {
  return { outcome: "selected", optionId };
}

export async function openEditor(stream: Stream, options: EditorOptions = {}): Promise<Editor> {
  const updates: SessionUpdate[] = [];
  const notifications: Editor["notifications"] = [];
  const waiting = new Set<() => void>();
  const heard = (method: string, params: unknown) => {
    if (method !== "session/update") notifications.push({ method, params });
    else updates.push(Update.parse(params).update);
    for (const look of waiting) look();
  };
  const connection = clientApp({ name: "test-editor" })
    .onRequest("session/request_permission", async ({ params, signal }) => ({
      outcome: (await options.onPermission?.(params, signal)) ?? { outcome: "cancelled" },
    }))
    .onRequest("elicitation/create", async ({ params }) => (await options.onForm?.(params)) ?? { action: "cancel" })
    .onRequest(
      "_sandboxagent/session/request_question",
      (params) => params,
      async ({ method, params }) => options.onExtension?.(method, params),
    )
    .onNotification("session/update", () => {})
    .onNotification("*", () => {})
    .connect({ writable: stream.writable, readable: stream.readable.pipeThrough(tap(heard)) });
  onTestFinished(() => connection.close());
  const { agent } = connection;
  await agent.request("initialize", { protocolVersion: 1, clientCapabilities: options.capabilities ?? {} });
  return {
    agent,
    updates,
    notifications,
    text: (kind) => updates.map((update) => (update.sessionUpdate === kind ? chunkText(update) : "")).join(""),
    newSession: () => agent.request("session/new", { cwd: temporaryDirectory(), mcpServers: [] }),
    async prompt(sessionId, text) {
      const { stopReason } = await agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
      return stopReason;
    },
    until: (condition) =>
      new Promise((resolve) => {
        const look = () => {
          if (!condition()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    close: () => connection.close(),
  };
}

const Update = z.object({ update: z.custom<SessionUpdate>() });

/**
 * Records notifications as they arrive. The SDK delivers them a little later than responses, so that a client that checks
 * immediately after the response could miss the last of them.
 */
function tap(heard: (method: string, params: unknown) => void): TransformStream<AnyMessage, AnyMessage> {
  return new TransformStream({
    transform(message, controller) {
      if ("method" in message && !("id" in message)) heard(message.method, message.params);
      controller.enqueue(message);
    },
  });
}

function chunkText(update: SessionUpdate): string {
  return "content" in update && update.content && "type" in update.content && update.content.type === "text"
    ? update.content.text
    : "";
}

/** POST for messages of the client, one event stream for messages of the server. */
export function httpStream(client: TestClient, serverId: string, agent = "mock"): Stream {
  const path = `/v1/acp/${encodeURIComponent(serverId)}`;
  let hear: ReadableStreamDefaultController<AnyMessage> | null = null;
  let listening = false;
  const stop = new AbortController();
  onTestFinished(() => stop.abort());

  async function listen(): Promise<void> {
    const response = await client.fetch("GET", path, {
      headers: { accept: "text/event-stream" },
      signal: stop.signal,
    });
    for await (const { data } of readFrames(response)) hear?.enqueue(JSON.parse(data));
    hear?.close();
  }

  return {
    readable: new ReadableStream({
      start(controller) {
        hear = controller;
      },
    }),
    writable: new WritableStream({
      async write(message) {
        // The response also arrives on the stream, so this only checks that the request was accepted.
        const posted = client.post(`${path}?agent=${agent}`, message);
        if (!("id" in message) || !("method" in message)) await posted;
        if (listening) return void posted.catch((error) => hear?.error(error));
        await posted;
        listening = true;
        void listen().catch(() => {});
      },
    }),
  };
}

export function socketUrl({ url, token }: TestClient, serverId: string, agent = "mock"): string {
  const query = new URLSearchParams({ agent, ...(token !== null && { access_token: token }) });
  return `${url.replace("http", "ws")}/v1/acp/${encodeURIComponent(serverId)}/socket?${query}`;
}

export function socketStream(client: TestClient, serverId: string, agent = "mock"): Stream {
  return createWebSocketStream(socketUrl(client, serverId, agent));
}

const cli = join(import.meta.dirname, "../../packages/cli/src/main.ts");

/** `sandbox-agent acp` as an editor starts it. */
export function startAcpCommand({ url, token }: TestClient, agent = "mock") {
  const child = Bun.spawn([process.execPath, cli, "acp", "--agent", agent, "--endpoint", url], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, ...(token !== null && { SANDBOX_AGENT_TOKEN: token }) },
  });
  onTestFinished(() => child.kill("SIGKILL"));
  const writable = new WritableStream<Uint8Array>({
    write(chunk) {
      child.stdin.write(chunk);
      child.stdin.flush();
    },
    close: () => void child.stdin.end(),
  });
  return { child, stream: ndJsonStream(writable, child.stdout) };
}
