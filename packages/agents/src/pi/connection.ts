/** A running Pi, and the commands it answers. */
import { handFile } from "../process/handed-file.ts";
import { type Answer, type JsonLinesOptions, openJsonLines } from "../process/json-lines.ts";
import type { ExtensionSetup } from "./extension.ts";
import { Response } from "./native.ts";

export interface ConnectionOptions extends Omit<JsonLinesOptions, "agent" | "handed" | "answerIn"> {
  setup: ExtensionSetup;
}

export type Connection = ReturnType<typeof connect>;

/** Pi has understood a command and refuses it. */
export class Refusal extends Error {}

/** Throws when the program cannot be started. */
export function connect({ setup, ...options }: ConnectionOptions) {
  const handed = handFile(JSON.stringify(setup));
  const lines = openJsonLines({ ...options, agent: "pi", handed, answerIn });

  function answerIn(message: unknown): Answer | null {
    const { data: answer } = Response.safeParse(message);
    if (!answer?.id) return null;
    // Whoever answers commands has loaded its extensions, and with them read what was handed over.
    handed.erase();
    const { id, success, data, error, command } = answer;
    return success ? { id, result: data } : { id, error: new Refusal(error ?? `${command} was refused`) };
  }

  return {
    write: lines.write,
    /** Tells the agent to do something; rejects when it refuses or ends first. */
    request(command: { type: string; [key: string]: unknown }): Promise<unknown> {
      return lines.ask((id) => ({ ...command, id }));
    },
    /** Ends the process and everything it runs. In the middle of a turn a signal makes it end its commands first. */
    close: ({ busy }: { busy: boolean }) => lines.close(busy ? "SIGTERM" : null),
  };
}
