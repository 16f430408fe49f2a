/** The operations of the ACP compatibility API. Part of the table in operations.ts. */
import * as z from "zod";
import { AcpEnvelope, AcpServerList } from "./acp.ts";
import { lazy } from "./lazy.ts";
import type { Operation } from "./operations.ts";

const one = "/v1/acp/{server_id}";
const agent = lazy(() =>
  z.string().optional().describe("Agent id, see GET /v1/agents; needed by the call that creates the server"),
);

export const acpOperations = {
  listAcpServers: {
    method: "GET",
    path: "/v1/acp",
    tag: "acp",
    scopes: ["read", "prompt", "approve", "processes"],
    summary: "Open ACP servers",
    success: { status: 200, json: AcpServerList },
  },
  postAcpMessage: {
    method: "POST",
    path: one,
    tag: "acp",
    scopes: ["read", "prompt", "approve", "processes"],
    summary: "Send one ACP message to an agent",
    description:
      "The first message, `initialize`, creates the server under an id of your choice. A request is answered with its response, however long that takes; a notification or a response with 202. The response is also on the stream.",
    query: lazy(() => z.object({ agent: agent() })),
    body: AcpEnvelope,
    success: { status: 200, json: AcpEnvelope, accepted: true },
    problems: ["unsupported_agent", "conflict", "not_acceptable"],
  },
  streamAcpMessages: {
    method: "GET",
    path: one,
    tag: "acp",
    scopes: ["read", "prompt", "approve", "processes"],
    summary: "All messages of an ACP server, past and live",
    description: "Frames are named `message` and numbered from 1. Every reader gets all of them.",
    headers: { "Last-Event-ID": "Continue after this frame" },
    success: { status: 200, events: AcpEnvelope },
    problems: ["session_not_found", "not_acceptable"],
  },
  closeAcpServer: {
    method: "DELETE",
    path: one,
    tag: "acp",
    scopes: ["read", "prompt", "approve", "processes"],
    summary: "Close an ACP server; its sessions stay in the log",
    description:
      "Running prompts are aborted and agents are closed. Answers immediately, even for ids that do not exist.",
    success: { status: 204 },
  },
  connectAcp: {
    method: "GET",
    path: `${one}/socket`,
    tag: "acp",
    scopes: ["read", "prompt", "approve", "processes"],
    summary: "An ACP connection over a WebSocket",
    description:
      "One message per text frame, in both directions, as in ACP's remote transport. The server lives as long as the socket.",
    query: lazy(() => z.object({ agent: agent() })),
    success: { status: 101, socket: { server: AcpEnvelope, client: AcpEnvelope } },
    problems: ["unsupported_agent", "conflict"],
  },
} as const satisfies Record<string, Operation>;
