/** Plays a recording of Amp through the translator, and what the daemon makes of its drafts, into events. */
import type { UniversalEvent } from "@sandbox-agent/schema";
import * as z from "zod";
import { createTranslator } from "../../packages/agents/src/amp/translate/translator.ts";
import { readJsonLines, replayedLog } from "./replayed-log.ts";

const Spoken = z.object({ type: z.literal("text"), text: z.string() });
const UserText = z.object({ type: z.literal("user"), message: z.object({ content: z.tuple([Spoken]) }) });

/** The recordings hold what Amp wrote. What it was told is known from its echo. */
export function replay(path: string): UniversalEvent[] {
  const translator = createTranslator({ threadId: null });
  const log = replayedLog(() => translator.threadId);
  for (const line of readJsonLines(path)) {
    const said = UserText.safeParse(line).data;
    if (said) {
      log.send(said.message.content[0].text);
      translator.onSent();
    }
    log.accept(translator.translate(line));
  }
  log.end("interrupted");
  return log.events;
}
