/** What the tests of processes and terminals share: starting processes, waiting for what they write, watching terminals. */
import { TerminalServerFrame } from "@sandbox-agent/schema";
import { onTestFinished } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { readFrames } from "../harness/sse.ts";

/** Starts a process; its id. */
export async function start(client: TestClient, body: Record<string, unknown>): Promise<string> {
  const { status, json, text } = await client.post("/v1/processes", body);
  if (status !== 200) throw new Error(`the process was not started: ${text}`);
  return json.id;
}

/** Starts a shell script. */
export function startScript(client: TestClient, script: string, body: Record<string, unknown> = {}): Promise<string> {
  return start(client, { command: "sh", args: ["-c", script], ...body });
}

export interface LogFrame {
  id: number;
  stream: string;
  text: string;
}

/** The log of a process as it comes, until the daemon ends the stream. */
export async function* follow(client: TestClient, id: string, query = ""): AsyncGenerator<LogFrame> {
  const response = await client.fetch("GET", `/v1/processes/${id}/logs?follow=true${query}`);
  for await (const frame of readFrames(response)) {
    const { sequence, stream, data } = JSON.parse(frame.data);
    if (String(sequence) !== frame.id) throw new Error(`frame ${frame.id} holds entry ${sequence}`);
    yield { id: sequence, stream, text: Buffer.from(data, "base64").toString() };
  }
}

/** Everything a process writes until it ends. */
export async function outputOf(client: TestClient, id: string, query = ""): Promise<string> {
  let text = "";
  for await (const frame of follow(client, id, query)) text += frame.text;
  return text;
}

/** Waits until a process has written this. */
export async function written(client: TestClient, id: string, wanted: string): Promise<void> {
  let text = "";
  for await (const frame of follow(client, id)) {
    text += frame.text;
    if (text.includes(wanted)) return;
  }
  throw new Error(`process ${id} ended without ${wanted}: ${text}`);
}

/** The text a terminal shows, as soon as it matches. */
export async function screenWith(client: TestClient, id: string, pattern: RegExp): Promise<string> {
  for (;;) {
    const { json } = await client.get(`/v1/terminals/${id}/screen`);
    if (pattern.test(json.text)) return json.text;
    await Bun.sleep(30);
  }
}

/** A viewer of a terminal, as a program sees it. */
export interface Viewer {
  frames: TerminalServerFrame[];
  /** All binary frames until now. */
  shown(): string;
  until(condition: () => boolean): Promise<void>;
  send(frame: unknown): void;
  closed: Promise<number>;
  socket: WebSocket;
}

export function view(client: TestClient, path: string, headers: Record<string, string> = {}): Viewer {
  const authorization = client.token === null ? {} : { authorization: `Bearer ${client.token}` };
  const socket = new WebSocket(client.url.replace("http", "ws") + path, { headers: { ...authorization, ...headers } });
  socket.binaryType = "arraybuffer";
  const frames: TerminalServerFrame[] = [];
  const decoder = new TextDecoder();
  let shown = "";
  let changed = Promise.withResolvers<void>();
  const change = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  socket.onmessage = ({ data }) => {
    if (typeof data === "string") frames.push(TerminalServerFrame().parse(JSON.parse(data)));
    else shown += decoder.decode(data, { stream: true });
    change();
  };
  const closed = new Promise<number>((resolve) => {
    socket.onclose = ({ code }) => {
      resolve(code);
      change();
    };
  });
  onTestFinished(() => socket.close());
  return {
    frames,
    shown: () => shown,
    async until(condition) {
      while (!condition()) {
        if (socket.readyState === WebSocket.CLOSED) throw new Error(`the socket was closed; shown: ${shown}`);
        await changed.promise;
      }
    },
    send: (frame) => socket.send(typeof frame === "string" ? frame : JSON.stringify(frame)),
    closed,
    socket,
  };
}
