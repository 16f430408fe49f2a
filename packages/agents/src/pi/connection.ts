/**
 * A running Pi: one JSON object per line in both directions, commands with answers among them. Reading waits for the
 * reader, so a slow log holds the agent back.
 */
import { ProblemError } from "@sandbox-agent/schema";
import type { AgentExit } from "../draft.ts";
import { AgentProcess } from "../process/agent-process.ts";
import { handFile } from "../process/handed-file.ts";
import type { ExtensionSetup } from "./extension.ts";
import { Response } from "./native.ts";

export interface ConnectionOptions {
  command: readonly string[];
  cwd: string;
  env: Record<string, string>;
  setup: ExtensionSetup;
  /** What the agent said, in order, without answers to our own commands. A line that is no JSON comes as its text. */
  onMessages(messages: readonly Incoming[]): Promise<void>;
  onExit(exit: AgentExit): void;
}

export type Incoming = { value: unknown } | { garbage: string };

interface Waiting {
  resolve(data: unknown): void;
  reject(error: Error): void;
}

export type Connection = ReturnType<typeof connect>;

/** Pi has understood a command and refuses it. */
export class Refusal extends Error {}

/** Throws when the program cannot be started. */
export function connect(options: ConnectionOptions) {
  const waiting = new Map<string, Waiting>();
  let count = 0;
  let gone = false;

  const setup = handFile(JSON.stringify(options.setup));
  const agent = start();

  function start(): AgentProcess {
    const { command, cwd, env } = options;
    try {
      return new AgentProcess({
        command,
        cwd,
        env,
        ...(setup.descriptor !== undefined && { inherit: setup.descriptor }),
        onLines: (lines) => options.onMessages(lines.map(read).filter((incoming) => !isAnswer(incoming))),
        onExit: (exit) => {
          leave(exit.message);
          options.onExit(exit);
        },
      });
    } catch (cause) {
      setup.erase();
      const message = `${command[0]} cannot be started: ${cause instanceof Error ? cause.message : cause}`;
      throw new ProblemError("agent_process_exited", message, { agent: "pi" });
    }
  }

  function leave(reason: string): void {
    gone = true;
    setup.erase();
    for (const { reject } of waiting.values()) reject(new Error(reason));
    waiting.clear();
  }

  function write(message: unknown): void {
    if (!gone) agent.writeLine(JSON.stringify(message));
  }

  function isAnswer(incoming: Incoming): boolean {
    const { data } = Response.safeParse("value" in incoming ? incoming.value : null);
    const asked = data?.id === undefined ? undefined : waiting.get(data.id);
    if (!data?.id || !asked) return false;
    waiting.delete(data.id);
    // Whoever answers commands has loaded its extensions, and with them read what was handed over.
    setup.erase();
    if (data.success) asked.resolve(data.data);
    else asked.reject(new Refusal(data.error ?? `${data.command} was refused`));
    return true;
  }

  return {
    get isGone(): boolean {
      return gone;
    },
    write,
    /** Tells the agent to do something; rejects when it refuses or ends first. */
    request(command: { type: string; [key: string]: unknown }): Promise<unknown> {
      if (gone) return Promise.reject(new Error("the agent is gone"));
      const id = `host-${(count += 1)}`;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        write({ ...command, id });
      });
    },
    /** Ends the process and everything it runs. In the middle of a turn a signal makes it end its commands first. */
    async close({ busy }: { busy: boolean }): Promise<void> {
      leave("the session was closed");
      if (busy) agent.signal("SIGTERM");
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
