/**
 * A running agent that exchanges JSON objects, one per line, with responses to our requests among its messages. Reading
 * waits for the consumer, so a slow log slows the agent down.
 */
import type { AgentExit } from "../draft.ts";
import { type AgentProcess, startAgentProcess } from "./agent-process.ts";
import type { SecretFd } from "./secret-fd.ts";

export interface JsonLinesOptions {
  /** The agent's id, for the problem if the process cannot be started. */
  agent: string;
  command: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** Erased at the latest when the process has exited. */
  secret: SecretFd;
  /** The response to a request of ours; null if the message is something else. */
  responseIn(message: unknown): RequestResponse | null;
  /** Messages of the agent in order, without responses. A line that is not JSON comes as text. */
  onMessages(messages: readonly Incoming[]): Promise<void>;
  onExit(exit: AgentExit): void;
}

export type Incoming = { value: unknown } | { invalid: string };

export type RequestResponse = { id: string } & ({ result: unknown } | { error: Error });

/** Throws when the program cannot be started. */
export function openJsonLines({ agent, secret, responseIn, onMessages, onExit, ...launch }: JsonLinesOptions) {
  const requests = new Map<string, PromiseWithResolvers<unknown>>();
  let count = 0;
  let isClosed = false;
  const child = start();

  function start(): AgentProcess {
    try {
      return startAgentProcess(agent, {
        ...launch,
        ...(secret.descriptor !== undefined && { inherit: secret.descriptor }),
        onLines: (lines) => onMessages(lines.map(readLine).filter((incoming) => !settle(incoming))),
        onExit(exit) {
          disconnect(exit.message);
          onExit(exit);
        },
      });
    } catch (problem) {
      secret.erase();
      throw problem;
    }
  }

  function disconnect(reason: string): void {
    isClosed = true;
    secret.erase();
    for (const { reject } of requests.values()) reject(new Error(reason));
    requests.clear();
  }

  /** Settles the pending request that the message responds to. False if it is not a response. */
  function settle(incoming: Incoming): boolean {
    const response = "value" in incoming ? responseIn(incoming.value) : null;
    const pending = response && requests.get(response.id);
    if (!pending) return false;
    requests.delete(response.id);
    if ("error" in response) pending.reject(response.error);
    else pending.resolve(response.result);
    return true;
  }

  function write(message: unknown): void {
    if (!isClosed) child.writeLine(JSON.stringify(message));
  }

  return {
    write,
    /** Sends a request under a new id. Rejects if the agent responds with an error or exits first. */
    request(message: (id: string) => unknown): Promise<unknown> {
      if (isClosed) return Promise.reject(new Error("the agent has exited"));
      const id = `host-${(count += 1)}`;
      const pending = Promise.withResolvers<unknown>();
      requests.set(id, pending);
      write(message(id));
      return pending.promise;
    },
    /** Stops the process and its descendants; `signal` is sent first, to interrupt a running turn. */
    async close(signal: NodeJS.Signals | null): Promise<void> {
      disconnect("the session was closed");
      if (signal) child.signal(signal);
      await child.close();
    },
  };
}

export function readLine(line: string): Incoming {
  try {
    return { value: JSON.parse(line) };
  } catch {
    return { invalid: line };
  }
}
