/** Creates or resumes the agent's own session. */
import { ProblemError } from "@sandbox-agent/schema";
import type { SessionSpec } from "../agent.ts";
import type { Draft } from "../draft.ts";
import { notice } from "../item-drafts.ts";
import { RpcError, type RpcMessage } from "../process/json-rpc.ts";
import type { Variables } from "../variables.ts";
import type { Connection } from "./connection.ts";
import { nativeServers } from "./mcp.ts";
import { readOnce, SessionResult, updateIn } from "./native.ts";
import { isAuthRequired } from "./translate/errors.ts";

export interface Conversation {
  sessionId: string;
  result: SessionResult;
  /** How it was opened. `replayed`: the updates so far are its history. `lost`: the agent could not resume it. */
  origin: "new" | "resumed" | "replayed" | "lost";
}

type ConversationOptions = Pick<SessionSpec, "nativeSessionId" | "directory" | "mcp" | "env">;

export async function openConversation(
  agent: string,
  connection: Connection,
  { nativeSessionId, directory, mcp, env }: ConversationOptions,
  variables: Variables,
): Promise<Conversation> {
  const mcpServers = nativeServers(agent, mcp, connection.abilities, { ...variables, ...env });
  const where = { cwd: directory, mcpServers };
  const known = nativeSessionId === null ? null : await resume(connection, { ...where, sessionId: nativeSessionId });
  if (known) return known;
  const result = await openSession(connection, "session/new", where);
  if (!result.sessionId) throw new ProblemError("stream_error", `${agent} created a session without an id`, { agent });
  return { sessionId: result.sessionId, result, origin: nativeSessionId === null ? "new" : "lost" };
}

/** null if the agent cannot resume sessions or no longer has this one. */
async function resume(
  connection: Connection,
  params: { sessionId: string; cwd: string; mcpServers: unknown },
): Promise<Conversation | null> {
  const { sessionCapabilities, loadSession } = connection.abilities;
  const methods = [
    ...(sessionCapabilities.resume ? [{ method: "session/resume", origin: "resumed" as const }] : []),
    ...(loadSession ? [{ method: "session/load", origin: "replayed" as const }] : []),
  ];
  for (const { method, origin } of methods) {
    try {
      return { sessionId: params.sessionId, result: await openSession(connection, method, params), origin };
    } catch (error) {
      if (error instanceof ProblemError || isAuthRequired(error)) throw error;
    }
  }
  return null;
}

/** Whether a message during a replay is not part of the history: settings are current even then. */
export function isCurrentState({ method, params }: RpcMessage): boolean {
  const kind = updateIn(params)?.sessionUpdate ?? "";
  return method !== "session/update" || /^(config_option|current_mode)_update$/.test(kind);
}

/** The notice that the agent has lost the conversation. */
export function lostNotice(runId: string, history: string | null): Draft {
  const lost = {
    label: "Context lost",
    detail: "The agent cannot resume this conversation and starts a new one without its history.",
  };
  const detail = "The agent cannot resume this conversation; it gets the history with the next message.";
  return notice(`${runId}-lost`, history === null ? lost : { label: "Context replayed", detail });
}

const internalError = -32603;
const pauseMs = 100;

/** Retried once after an internal error, because agents that start at the same time may conflict for a moment. */
async function openSession(connection: Connection, method: string, params: unknown): Promise<SessionResult> {
  const send = () => connection.request(method, params);
  const answer = await send().catch(async (error) => {
    if (!(error instanceof RpcError) || error.code !== internalError) throw error;
    await Bun.sleep(pauseMs);
    return send();
  });
  return SessionResult().parse(answer ?? {}, readOnce);
}
