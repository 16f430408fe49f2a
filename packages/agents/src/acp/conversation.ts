/** The agent's own session: made anew, or taken up again where the agent can. */
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
  /** How it began. `replayed`: what has come so far is its history. `lost`: the agent could not take it up again. */
  origin: "new" | "resumed" | "replayed" | "lost";
}

type Wishes = Pick<SessionSpec, "nativeSessionId" | "directory" | "mcp" | "env">;

export async function openConversation(
  agent: string,
  connection: Connection,
  { nativeSessionId, directory, mcp, env }: Wishes,
  variables: Variables,
): Promise<Conversation> {
  const mcpServers = nativeServers(agent, mcp, connection.abilities, { ...variables, ...env });
  const where = { cwd: directory, mcpServers };
  const known = nativeSessionId === null ? null : await takenUp(connection, { ...where, sessionId: nativeSessionId });
  if (known) return known;
  const result = await begin(connection, "session/new", where);
  if (!result.sessionId)
    throw new ProblemError("stream_error", `${agent} made a session without telling its id`, { agent });
  return { sessionId: result.sessionId, result, origin: nativeSessionId === null ? "new" : "lost" };
}

/** null when the agent cannot, or no longer has it. */
async function takenUp(
  connection: Connection,
  params: { sessionId: string; cwd: string; mcpServers: unknown },
): Promise<Conversation | null> {
  const { sessionCapabilities, loadSession } = connection.abilities;
  const ways = [
    ...(sessionCapabilities.resume ? [{ method: "session/resume", origin: "resumed" as const }] : []),
    ...(loadSession ? [{ method: "session/load", origin: "replayed" as const }] : []),
  ];
  for (const { method, origin } of ways) {
    try {
      return { sessionId: params.sessionId, result: await begin(connection, method, params), origin };
    } catch (error) {
      if (error instanceof ProblemError || isAuthRequired(error)) throw error;
    }
  }
  return null;
}

/** Whether something that comes with a replay is not part of it: settings are news even then. */
export function isNews({ method, params }: RpcMessage): boolean {
  const kind = updateIn(params)?.sessionUpdate ?? "";
  return method !== "session/update" || /^(config_option|current_mode)_update$/.test(kind);
}

/** Tells that the agent has forgotten everything. */
export function lostNotice(tag: string, history: string | null): Draft {
  const lost = { label: "Context lost", detail: "The agent cannot take up this conversation again and starts anew." };
  const detail = "The agent forgot this conversation and is told what was said before.";
  return notice(`${tag}-lost`, history === null ? lost : { label: "Context replayed", detail });
}

const internalError = -32603;
const pauseMs = 100;

/** An agent that failed inside is asked once more: where many start at once, some get into each other's way for a moment. */
async function begin(connection: Connection, method: string, params: unknown): Promise<SessionResult> {
  const ask = () => connection.request(method, params);
  const answer = await ask().catch(async (error) => {
    if (!(error instanceof RpcError) || error.code !== internalError) throw error;
    await Bun.sleep(pauseMs);
    return ask();
  });
  return SessionResult().parse(answer ?? {}, readOnce);
}
