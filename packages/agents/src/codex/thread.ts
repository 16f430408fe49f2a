/** Bringing a session's thread to life on a server: started anew, or taken up again. */
import type { SessionSpec } from "../agent.ts";
import { RpcError } from "../process/json-rpc.ts";
import {
  type ThreadResumeParams,
  ThreadResumeResponse,
  type ThreadStartParams,
  ThreadStartResponse,
} from "./generated/protocol.ts";
import type { CodexServer } from "./server.ts";
import { mcpConfig } from "./translate/mcp.ts";
import { nativeSettings } from "./translate/settings.ts";

export interface LoadedThread {
  threadId: string;
  /** The model it uses when none was chosen. */
  model: string;
}

export async function loadThread(
  server: CodexServer,
  spec: SessionSpec,
  modelProvider: string | null,
): Promise<LoadedThread> {
  const { approvalPolicy, sandbox } = nativeSettings(spec, server.sandboxWorks);
  const config = {
    cwd: spec.directory,
    model: spec.model,
    ...(modelProvider !== null && { modelProvider }),
    approvalPolicy,
    sandbox,
    config: mcpConfig(spec.mcp),
  };
  const resumed =
    spec.nativeSessionId === null ? null : await resume(server, { ...config, threadId: spec.nativeSessionId });
  const { thread, model } = resumed ?? (await start(server, config));
  return { threadId: thread.id, model };
}

/** Only a new thread can be told to show the raw exchange; one that is resumed does without. */
async function start(server: CodexServer, config: ThreadStartParams): Promise<ThreadStartResponse> {
  const params: ThreadStartParams = { ...config, experimentalRawEvents: true };
  return server.request("thread/start", params, ThreadStartResponse);
}

const writerWaitMs = 10_000;
const writerPollMs = 100;

/** A thread on which no turn was ever started is in no file, so there is nothing to take up. */
async function resume(server: CodexServer, params: ThreadResumeParams): Promise<ThreadResumeResponse | null> {
  const deadline = performance.now() + writerWaitMs;
  for (;;) {
    try {
      return await server.request("thread/resume", { ...params, excludeTurns: true }, ThreadResumeResponse);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      if (/no rollout found|thread not found/.test(error.message)) return null;
      // The server that had it before, of a daemon that was just stopped, is still letting go of it.
      const isHeld = /active writer/.test(error.message) && performance.now() < deadline;
      if (!isHeld) throw error;
      await Bun.sleep(writerPollMs);
    }
  }
}
