/**
 * A running Claude Code: one JSON object per line in both directions, and the control requests between them. Reading
 * waits for the reader, so a slow log holds the agent back.
 */
import { ProblemError } from "@sandbox-agent/schema";
import type { AgentExit } from "../draft.ts";
import { AgentProcess } from "../process/agent-process.ts";
import { handOver, type NativeCredential } from "./credential.ts";
import { SDKControlResponse } from "./generated/protocol.ts";
import { tagOf } from "./translate/tag.ts";

export interface ConnectionOptions {
  command: readonly string[];
  cwd: string;
  env: Record<string, string>;
  credential: NativeCredential | null;
  /** What the agent said, in order, without answers to our own requests. A line that is no JSON comes as its text. */
  onMessages(messages: readonly Incoming[]): Promise<void>;
  onExit(exit: AgentExit): void;
}

export type Incoming = { value: unknown } | { garbage: string };

interface Waiting {
  resolve(response: Record<string, unknown>): void;
  reject(error: Error): void;
}

export type Connection = ReturnType<typeof connect>;

/** Throws when the program cannot be started. */
export function connect(options: ConnectionOptions) {
  const waiting = new Map<string, Waiting>();
  let count = 0;
  let gone = false;

  const secret = handOver(options.credential);
  const agent = start();

  function start(): AgentProcess {
    const { command, cwd, env } = options;
    try {
      return new AgentProcess({
        command,
        cwd,
        env,
        ...(secret.descriptor !== undefined && { inherit: secret.descriptor }),
        onLines: (lines) => options.onMessages(lines.map(read).filter((incoming) => !isAnswer(incoming))),
        onExit: (exit) => {
          leave(exit.message);
          options.onExit(exit);
        },
      });
    } catch (cause) {
      secret.erase();
      const message = `${command[0]} cannot be started: ${cause instanceof Error ? cause.message : cause}`;
      throw new ProblemError("agent_process_exited", message, { agent: "claude" });
    }
  }

  function leave(reason: string): void {
    gone = true;
    secret.erase();
    for (const { reject } of waiting.values()) reject(new Error(reason));
    waiting.clear();
  }

  function write(message: unknown): void {
    if (!gone) agent.writeLine(JSON.stringify(message));
  }

  function isAnswer(incoming: Incoming): boolean {
    if (!("value" in incoming) || tagOf(incoming.value) !== "control_response") return false;
    const { data } = SDKControlResponse.safeParse(incoming.value);
    const asked = data && waiting.get(data.response.request_id);
    if (!asked) return true;
    waiting.delete(data.response.request_id);
    if (data.response.subtype === "error") asked.reject(new Error(data.response.error ?? "refused"));
    else asked.resolve(data.response.response ?? {});
    return true;
  }

  /** Asks the agent; rejects when it refuses or ends first. */
  function request(asked: { subtype: string; [key: string]: unknown }): Promise<Record<string, unknown>> {
    if (gone) return Promise.reject(new Error("the agent is gone"));
    const request_id = `host-${(count += 1)}`;
    return new Promise((resolve, reject) => {
      waiting.set(request_id, { resolve, reject });
      write({ type: "control_request", request_id, request: asked });
    });
  }

  return {
    get isGone(): boolean {
      return gone;
    },
    write,
    request,
    /** The first request: when it is answered, the agent has read all it needs to start. */
    async initialize(options: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
      const answer = await request({ subtype: "initialize", ...options });
      secret.erase();
      return answer;
    },
    respond(request_id: string, response: Record<string, unknown>): void {
      write({ type: "control_response", response: { subtype: "success", request_id, response } });
    },
    refuse(request_id: string, error: string): void {
      write({ type: "control_response", response: { subtype: "error", request_id, error } });
    },
    /** Ends the process and everything it runs. In the middle of a turn it is interrupted first, which ends its tools. */
    async close({ busy }: { busy: boolean }): Promise<void> {
      leave("the session was closed");
      if (busy) agent.signal("SIGINT");
      await agent.close();
    },
  };
}

function read(line: string): Incoming {
  try {
    return { value: JSON.parse(line) };
  } catch {
    return { garbage: line };
  }
}
