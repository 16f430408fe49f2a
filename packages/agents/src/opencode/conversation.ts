/**
 * Requests about a native session of OpenCode. They name the server each time, because a session may move to another one.
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

/** Creates a session in the directory. With a given title, OpenCode makes no model call to generate one. */
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

/** OpenCode keeps requests per directory, not per session. */
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

/** The MCP servers that failed, with the reason. Waits up to a minute for slow ones. */
export async function brokenMcp(server: OpenCodeServer, directory: string): Promise<Record<string, string>> {
  const all = await requestAs(McpStatusMap, server, "GET", "/mcp", { query: { directory }, timeoutMs: 60_000 });
  const broken = Object.entries(all).flatMap(([name, status]) => {
    if (status.status === "connected" || status.status === "disabled") return [];
    return [[name, "error" in status ? status.error : status.status] as const];
  });
  return Object.fromEntries(broken);
}
