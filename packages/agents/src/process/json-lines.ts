/**
 * A running agent that speaks JSON, one object per line in both directions, with answers to our requests among what it
 * says. Reading waits for the reader, so a slow log holds the agent back.
 */
import type { AgentExit } from "../draft.ts";
import { type AgentProcess, startAgentProcess } from "./agent-process.ts";
import type { HandedFile } from "./handed-file.ts";

export interface JsonLinesOptions {
  /** Whose process it is, for the problem when it cannot be started. */
  agent: string;
  command: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** Erased at the latest when the process is gone. */
  handed: HandedFile;
  /** The answer that a message is; null when it is something else. */
  answerIn(message: unknown): Answer | null;
  /** What the agent said, in order, without what was asked for. A line that is no JSON comes as its text. */
  onMessages(messages: readonly Incoming[]): Promise<void>;
  onExit(exit: AgentExit): void;
}

export type Incoming = { value: unknown } | { garbage: string };

export type Answer = { id: string } & ({ result: unknown } | { error: Error });

/** Throws when the program cannot be started. */
export function openJsonLines({ agent, handed, answerIn, onMessages, onExit, ...launch }: JsonLinesOptions) {
  const waiting = new Map<string, PromiseWithResolvers<unknown>>();
  let count = 0;
  let gone = false;
  const child = start();

  function start(): AgentProcess {
    try {
      return startAgentProcess(agent, {
        ...launch,
        ...(handed.descriptor !== undefined && { inherit: handed.descriptor }),
        onLines: (lines) => onMessages(lines.map(readLine).filter((incoming) => !settle(incoming))),
        onExit(exit) {
          leave(exit.message);
          onExit(exit);
        },
      });
    } catch (problem) {
      handed.erase();
      throw problem;
    }
  }

  function leave(reason: string): void {
    gone = true;
    handed.erase();
    for (const { reject } of waiting.values()) reject(new Error(reason));
    waiting.clear();
  }

  /** Whether it was an answer somebody waits for, who has it then. */
  function settle(incoming: Incoming): boolean {
    const answer = "value" in incoming ? answerIn(incoming.value) : null;
    const asked = answer && waiting.get(answer.id);
    if (!asked) return false;
    waiting.delete(answer.id);
    if ("error" in answer) asked.reject(answer.error);
    else asked.resolve(answer.result);
    return true;
  }

  function write(message: unknown): void {
    if (!gone) child.writeLine(JSON.stringify(message));
  }

  return {
    write,
    /** Writes the message that asks under this id. Rejects when the agent refuses or ends first. */
    ask(message: (id: string) => unknown): Promise<unknown> {
      if (gone) return Promise.reject(new Error("the agent is gone"));
      const id = `host-${(count += 1)}`;
      const asked = Promise.withResolvers<unknown>();
      waiting.set(id, asked);
      write(message(id));
      return asked.promise;
    },
    /** Ends the process and everything it runs; `signal` tells it first to end what it is in the middle of. */
    async close(signal: NodeJS.Signals | null): Promise<void> {
      leave("the session was closed");
      if (signal) child.signal(signal);
      await child.close();
    },
  };
}

export function readLine(line: string): Incoming {
  try {
    return { value: JSON.parse(line) };
  } catch {
    return { garbage: line };
  }
}
