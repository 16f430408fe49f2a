/** Starts a conversation in a new or an existing session. */
import type { CreateSessionRequest, PermissionMode } from "@sandbox-agent/schema";
import { type Command, Option } from "commander";
import type { SandboxAgent } from "sandbox-agent";
import { addSettings } from "../commands/session-settings.ts";
import { path } from "../option-values.ts";
import type { Remote } from "./remote.ts";

export interface NewSessionOptions {
  agent: string;
  agentMode?: string;
  permissionMode?: PermissionMode;
  model?: string;
  variant?: string;
  title?: string;
  directory?: string;
  session?: string;
}

export interface OpenRemote extends Remote {
  sessionId: string;
  /** Sequence of the newest event. */
  lastSequence: number;
}

export function addNewSessionOptions(command: Command): Command {
  command.requiredOption("-a, --agent <agent>", "agent to run, see `agents list` (required)");
  addSettings(command);
  return command
    .addOption(
      new Option("--directory <path>", "working directory of the agent")
        .argParser(path)
        .default(process.cwd(), "the current directory"),
    )
    .option("--session <id>", "id of the new session (default: generated)");
}

export async function createRemote(client: SandboxAgent, options: NewSessionOptions): Promise<OpenRemote> {
  const { session: sessionId = `${options.agent}-${crypto.randomUUID().slice(0, 8)}`, ...settings } = options;
  const request: CreateSessionRequest = {
    agent: settings.agent,
    agentMode: settings.agentMode,
    permissionMode: settings.permissionMode,
    model: settings.model,
    variant: settings.variant,
    title: settings.title,
    directory: settings.directory,
  };
  await client.createSession(sessionId, request);
  return { sessionId, lastSequence: 0, ...remoteOf(client, sessionId) };
}

export async function existingRemote(client: SandboxAgent, sessionId: string): Promise<OpenRemote> {
  const { lastSequence } = await client.getSession(sessionId);
  return { sessionId, lastSequence, ...remoteOf(client, sessionId) };
}

function remoteOf(client: SandboxAgent, sessionId: string): Remote {
  return {
    events: (offset, signal, onReset) => client.streamEvents(sessionId, { offset }, { signal, onReset }),
    send: (message) => client.postMessage(sessionId, { message }),
    abort: () => client.abortTurn(sessionId),
    replyPermission: (id, reply) => client.replyPermission(sessionId, id, { reply }),
    replyQuestion: (id, answers) =>
      answers ? client.replyQuestion(sessionId, id, { answers }) : client.rejectQuestion(sessionId, id),
  };
}
