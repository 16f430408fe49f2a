/**
 * The native side of a session: a session of OpenCode in a directory, on whichever server runs now. Every call that
 * names it goes through here.
 */
import { ProblemError } from "@sandbox-agent/schema";
import {
  type CreateSessionBody,
  McpStatusMap,
  type PermissionReplyBody,
  type PromptBody,
  Session,
} from "./generated/api.ts";
import { request, requestAs } from "./http.ts";
import type { OpenCodeServer } from "./server.ts";

/** A new session in the directory. A title of our own spares the model call that would invent one. */
export async function createNative(server: OpenCodeServer, directory: string, title: string): Promise<string> {
  const body: CreateSessionBody = { title };
  const { id } = await requestAs(Session, server, "POST", "/session", { query: { directory }, body });
  return id;
}

/** Whether this OpenCode has a session with that id. */
export async function hasNative(server: OpenCodeServer, id: string): Promise<boolean> {
  try {
    await requestAs(Session, server, "GET", `/session/${id}`);
    return true;
  } catch (error) {
    if (error instanceof ProblemError && error.kind === "not_found") return false;
    throw error;
  }
}

export async function prompt(server: OpenCodeServer, id: string, body: PromptBody): Promise<void> {
  await request(server, "POST", `/session/${id}/prompt_async`, { body });
}

export async function abort(server: OpenCodeServer, id: string, timeoutMs: number): Promise<void> {
  await request(server, "POST", `/session/${id}/abort`, { timeoutMs });
}

/** Requests are kept by directory, not by session. */
export async function answerPermission(
  server: OpenCodeServer,
  directory: string,
  requestId: string,
  reply: PermissionReplyBody,
): Promise<void> {
  await request(server, "POST", `/permission/${requestId}/reply`, { query: { directory }, body: reply });
}

export async function answerQuestion(
  server: OpenCodeServer,
  directory: string,
  requestId: string,
  answers: string[][] | null,
): Promise<void> {
  if (answers)
    await request(server, "POST", `/question/${requestId}/reply`, { query: { directory }, body: { answers } });
  else await request(server, "POST", `/question/${requestId}/reject`, { query: { directory } });
}

/** The MCP servers that do not work, with the reason. Slow ones are given time to start. */
export async function brokenMcp(server: OpenCodeServer, directory: string): Promise<Record<string, string>> {
  const all = await requestAs(McpStatusMap, server, "GET", "/mcp", { query: { directory }, timeoutMs: 60_000 });
  const broken = Object.entries(all).flatMap(([name, status]) => {
    if (status.status === "connected" || status.status === "disabled") return [];
    return [[name, "error" in status ? status.error : status.status] as const];
  });
  return Object.fromEntries(broken);
}
