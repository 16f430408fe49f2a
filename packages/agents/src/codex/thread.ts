/** Starts or resumes a session's thread on a server. */
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

/** The returned model is the thread's default, used if none is chosen. */
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

/** Raw events can only be enabled for a new thread, not for a resumed one. */
async function start(server: CodexServer, config: ThreadStartParams): Promise<ThreadStartResponse> {
  const params: ThreadStartParams = { ...config, experimentalRawEvents: true };
  return retryTransient(() => server.request("thread/start", params, ThreadStartResponse));
}

/** A thread without turns is not stored, so there is nothing to resume: then null. */
async function resume(server: CodexServer, params: ThreadResumeParams): Promise<ThreadResumeResponse | null> {
  const resumed = retryTransient(() =>
    server.request("thread/resume", { ...params, excludeTurns: true }, ThreadResumeResponse),
  );
  return resumed.catch((error) => {
    if (error instanceof RpcError && /no rollout found|thread not found/.test(error.message)) return null;
    throw error;
  });
}

/**
 * Transient errors. Either the server of a daemon that was just stopped has not released the thread yet, or this server has
 * just logged in, which revokes the permission with which its settings are being read.
 */
const transientErrors = /active writer|network permission was revoked/;
const retryTimeoutMs = 10_000;
const pauseMs = 100;

async function retryTransient<T>(request: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + retryTimeoutMs;
  for (;;) {
    try {
      return await request();
    } catch (error) {
      const isTransient = error instanceof RpcError && transientErrors.test(error.message);
      if (!isTransient || performance.now() > deadline) throw error;
      await Bun.sleep(pauseMs);
    }
  }
}
