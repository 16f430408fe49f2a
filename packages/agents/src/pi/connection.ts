/** A running Pi process and its commands. */
import { type JsonLinesOptions, openJsonLines, type RequestResponse } from "../process/json-lines.ts";
import { openSecretFd } from "../process/secret-fd.ts";
import type { ExtensionSetup } from "./extension.ts";
import { Response } from "./native.ts";

export interface ConnectionOptions extends Omit<JsonLinesOptions, "agent" | "secret" | "responseIn"> {
  setup: ExtensionSetup;
}

export type Connection = ReturnType<typeof connect>;

/** Pi has received a command and rejected it. */
export class CommandRejected extends Error {}

/** Throws when the program cannot be started. */
export function connect({ setup, ...options }: ConnectionOptions) {
  const secret = openSecretFd(JSON.stringify(setup));
  const lines = openJsonLines({ ...options, agent: "pi", secret, responseIn });

  function responseIn(message: unknown): RequestResponse | null {
    const { data: response } = Response.safeParse(message);
    if (!response?.id) return null;
    // Pi answers commands after it has loaded its extensions, so ours has read the secret by now.
    secret.erase();
    const { id, success, data, error, command } = response;
    return success ? { id, result: data } : { id, error: new CommandRejected(error ?? `${command} was rejected`) };
  }

  return {
    write: lines.write,
    /** Sends a command; rejects if Pi rejects it or exits first. */
    request(command: { type: string; [key: string]: unknown }): Promise<unknown> {
      return lines.request((id) => ({ ...command, id }));
    },
    /** Stops the process and its descendants. In a turn it gets a signal first, so that it stops its commands. */
    close: ({ busy }: { busy: boolean }) => lines.close(busy ? "SIGTERM" : null),
  };
}
