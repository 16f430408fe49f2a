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

/** The model is the one it uses when none was chosen. */
export async function loadThread(
  server: CodexServer,
  spec: SessionSpec,
  modelProvider: string | null,
): Promise<{ threadId: string; model: string }> {
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
  return patiently(() => server.request("thread/start", params, ThreadStartResponse));
}

/** A thread on which no turn was ever started is in no file, so there is nothing to take up. */
async function resume(server: CodexServer, params: ThreadResumeParams): Promise<ThreadResumeResponse | null> {
  const resumed = patiently(() =>
    server.request("thread/resume", { ...params, excludeTurns: true }, ThreadResumeResponse),
  );
  return resumed.catch((error) => {
    if (error instanceof RpcError && /no rollout found|thread not found/.test(error.message)) return null;
    throw error;
  });
}

/**
 * Refusals that pass. The server that had the thread before, of a daemon that was just stopped, is still letting go of it; or
 * this one has just logged in, which revokes what its settings are being read with.
 */
const passing = /active writer|network permission was revoked/;
const patienceMs = 10_000;
const pauseMs = 100;

async function patiently<T>(request: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await request();
    } catch (error) {
      const passes = error instanceof RpcError && passing.test(error.message);
      if (!passes || performance.now() > deadline) throw error;
      await Bun.sleep(pauseMs);
    }
  }
}
