/** Prints a conversation: the answer to standard output, everything else to standard error. */
import type { UniversalEvent } from "@sandbox-agent/schema";
import { printNow } from "../print.ts";
import { createRenderer, type RenderOptions } from "./render.ts";
import { styleFor } from "./style.ts";

export function showEvents(options: RenderOptions): (event: UniversalEvent) => void {
  const output = {
    answer: (text: string) => void process.stdout.write(text),
    note: (text: string) => void process.stderr.write(text),
  };
  return createRenderer(output, styleFor(process.stderr), options);
}

/** Prints one event per line as JSON. */
export function printEvents(event: UniversalEvent): void {
  printNow(JSON.stringify(event));
}

export function noteRejection(request: string): void {
  process.stderr.write(
    `rejected, because there is no terminal to ask in: ${request}\n(use --permission-mode to allow actions beforehand)\n`,
  );
}
