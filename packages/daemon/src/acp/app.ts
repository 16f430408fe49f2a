/** The methods an ACP client can call, each with its handler. The SDK checks params and knows what it does not know. */
import { type AgentApp, agent as agentApp } from "@agentclientprotocol/sdk/unstable";
import { ProblemError } from "@sandbox-agent/schema";
import * as z from "zod";
import type { Connection } from "./connection.ts";
import { authenticate, InstallParams, initialize, installAgent, listAgents } from "./methods/meta.ts";
import {
  closeSession,
  deleteSession,
  forkSession,
  listSessions,
  loadSession,
  newSession,
  resumeSession,
} from "./methods/sessions.ts";
import { setConfigOption, setMode, setModel } from "./methods/settings.ts";
import { cancel, prompt } from "./methods/talk.ts";
import { requestError } from "./translate/failure.ts";

const SetModel = z.object({ sessionId: z.string(), modelId: z.string() });

export function createApp(connection: Connection): AgentApp {
  /** Failures as JSON-RPC errors. */
  function answering<Call, Result>(handle: (call: Call) => Result | Promise<Result>): (call: Call) => Promise<Result> {
    return async (call) => {
      try {
        return await handle(call);
      } catch (error) {
        const failure = requestError(error);
        if (failure !== error && !(error instanceof ProblemError)) connection.context.onFailure(error);
        throw failure;
      }
    };
  }

  return (
    agentApp({ name: connection.agent.id })
      .onRequest(
        "initialize",
        answering(({ params }) => initialize(connection, params)),
      )
      .onRequest(
        "authenticate",
        answering(({ params }) => authenticate(connection, params.methodId)),
      )
      .onRequest(
        "session/new",
        answering(({ params, client }) => newSession(connection, params, client)),
      )
      .onRequest(
        "session/load",
        answering(({ params, client }) => loadSession(connection, params.sessionId, client)),
      )
      .onRequest(
        "session/resume",
        answering(({ params, client }) => resumeSession(connection, params.sessionId, client)),
      )
      .onRequest(
        "session/fork",
        answering(({ params, client }) => forkSession(connection, params, client)),
      )
      .onRequest(
        "session/list",
        answering(({ params }) => listSessions(connection, params)),
      )
      .onRequest(
        "session/close",
        answering(({ params }) => closeSession(connection, params.sessionId)),
      )
      .onRequest(
        "session/delete",
        answering(({ params }) => deleteSession(connection, params.sessionId)),
      )
      .onRequest(
        "session/prompt",
        answering(({ params, signal }) => prompt(connection, params, signal)),
      )
      .onRequest(
        "session/set_mode",
        answering(({ params }) => setMode(connection, params)),
      )
      .onRequest(
        "session/set_config_option",
        answering(({ params }) => setConfigOption(connection, params)),
      )
      .onRequest(
        "session/set_model",
        SetModel,
        answering(({ params }) => setModel(connection, params)),
      )
      .onRequest(
        "_sandboxagent/agent/list",
        z.unknown(),
        answering(() => listAgents(connection)),
      )
      .onRequest(
        "_sandboxagent/agent/install",
        InstallParams,
        answering(({ params }) => installAgent(connection, params)),
      )
      // Nobody can be told that a notification failed; a session that is not here has nothing to cancel.
      .onNotification("session/cancel", ({ params }) => cancel(connection, params.sessionId).catch(() => {}))
  );
}
