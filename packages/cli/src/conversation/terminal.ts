/** Prints the events of a conversation: the agent's answer goes to standard output, everything else to standard error. */
import type { UniversalEvent } from "@sandbox-agent/schema";
import { printNow } from "../print.ts";
import { createRenderer, type RenderOptions } from "./render.ts";
import { styleFor } from "./style.ts";

/** Returns a function that prints one event as text. */
export function createEventPrinter(options: RenderOptions): (event: UniversalEvent) => void {
  const output = {
    answer: (text: string) => void process.stdout.write(text),
    note: (text: string) => void process.stderr.write(text),
  };
  return createRenderer(output, styleFor(process.stderr), options);
}

/** Prints an event as one line of JSON. */
export function printEventAsJson(event: UniversalEvent): void {
  printNow(JSON.stringify(event));
}

export function reportRejection(request: string): void {
  process.stderr.write(
    `rejected, because no terminal is available to ask the user: ${request}\n(use --permission-mode to allow actions beforehand)\n`,
  );
}
