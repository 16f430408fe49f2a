/** How a conversation looks at this terminal: words to standard output, everything around them to standard error. */
import type { UniversalEvent } from "@sandbox-agent/schema";
import { announce } from "../print.ts";
import { createRenderer, type RenderOptions } from "./render.ts";
import { styleFor } from "./style.ts";

export function showEvents(options: RenderOptions): (event: UniversalEvent) => void {
  const output = {
    say: (text: string) => void process.stdout.write(text),
    note: (text: string) => void process.stderr.write(text),
  };
  return createRenderer(output, styleFor(process.stderr), options);
}

/** For programs: one event per line. */
export function printEvents(event: UniversalEvent): void {
  announce(JSON.stringify(event));
}

export function noteRefusal(what: string): void {
  process.stderr.write(
    `refused, since nobody can be asked here: ${what}\n(--permission-mode says beforehand what the agent may do)\n`,
  );
}
