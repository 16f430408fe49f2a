/** Plays a recording of Pi through the translator, and what the daemon makes of its drafts, into events. */
import type { UniversalEvent } from "@sandbox-agent/schema";
import * as z from "zod";
import { createTranslator } from "../../packages/agents/src/pi/translate/translator.ts";
import { readJsonLines, replayedLog } from "./replayed-log.ts";

const Line = z.object({ dir: z.string(), msg: z.unknown() });
export type Line = z.infer<typeof Line>;

const Prompt = z.object({ type: z.literal("prompt"), message: z.string() });
const Abort = z.object({ type: z.literal("abort") });
const Answer = z.object({ type: z.literal("extension_ui_response"), id: z.string() });
/** Answers to commands are the connection's business. */
const Response = z.object({ type: z.literal("response") });

export function readRecording(path: string): Line[] {
  return readJsonLines(path).map((line) => Line.parse(line));
}

export function replay(lines: readonly Line[]): UniversalEvent[] {
  const translator = createTranslator({ directory: "/workspace" });
  const log = replayedLog(() => "native");

  function fromClient(msg: unknown): void {
    const prompt = Prompt.safeParse(msg).data;
    if (prompt && !log.state.turn) {
      log.send(prompt.message);
      translator.turn.send();
    }
    if (Abort.safeParse(msg).success) translator.turn.abort();
    const answered = Answer.safeParse(msg).data?.id;
    if (answered === undefined) return;
    translator.requests.delete(answered);
    log.answer(answered);
  }

  for (const { dir, msg } of lines) {
    if (dir === "out" && !Response.safeParse(msg).success) log.accept(translator.translate(msg));
    if (dir === "in") fromClient(msg);
  }
  log.end("interrupted");
  return log.events;
}
