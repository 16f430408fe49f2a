/** The methods that an ACP client can call, each with its handler. The SDK validates params and rejects unknown methods. */
import { type AgentApp, type AgentRequestContext, agent as agentApp } from "@agentclientprotocol/sdk/unstable";
import { ProblemError } from "@sandbox-agent/schema";
import * as z from "zod";
import type { Connection } from "./connection.ts";
import { authenticate, InstallParams, initialize, installAgent, listAgents } from "./methods/meta.ts";
import { cancel, prompt, setConfigOption, setMode, setModel } from "./methods/open-session.ts";
import {
  closeSession,
  deleteSession,
  forkSession,
  listSessions,
  loadSession,
  newSession,
  resumeSession,
} from "./methods/sessions.ts";
import { requestError } from "./translate/failure.ts";

const SetModel = z.object({ sessionId: z.string(), modelId: z.string() });

type Method<Params, Result> = (
  connection: Connection,
  params: Params,
  call: AgentRequestContext<Params>,
) => Result | Promise<Result>;

export function createApp(connection: Connection): AgentApp {
  /** Wraps a method as a handler: failures become JSON-RPC errors. */
  function answering<Params, Result>(method: Method<Params, Result>) {
    return async (call: AgentRequestContext<Params>): Promise<Result> => {
      try {
        return await method(connection, call.params, call);
      } catch (error) {
        const failure = requestError(error);
        if (failure !== error && !(error instanceof ProblemError)) connection.context.onFailure(error);
        throw failure;
      }
    };
  }

  return (
    agentApp({ name: connection.agent.id })
      .onRequest("initialize", answering(initialize))
      .onRequest("authenticate", answering(authenticate))
      .onRequest("session/new", answering(newSession))
      .onRequest("session/load", answering(loadSession))
      .onRequest("session/resume", answering(resumeSession))
      .onRequest("session/fork", answering(forkSession))
      .onRequest("session/list", answering(listSessions))
      .onRequest("session/close", answering(closeSession))
      .onRequest("session/delete", answering(deleteSession))
      .onRequest("session/prompt", answering(prompt))
      .onRequest("session/set_mode", answering(setMode))
      .onRequest("session/set_config_option", answering(setConfigOption))
      .onRequest("session/set_model", SetModel, answering(setModel))
      .onRequest("_sandboxagent/agent/list", z.unknown(), answering(listAgents))
      .onRequest("_sandboxagent/agent/install", InstallParams, answering(installAgent))
      // A notification has no response to report a failure in; a session that is not open has nothing to cancel.
      .onNotification("session/cancel", ({ params }) => cancel(connection, params.sessionId).catch(() => {}))
  );
}
