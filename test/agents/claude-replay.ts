/** Plays a recording of Claude Code through the translator, and what the daemon makes of its drafts, into events. */
import type { UniversalEvent } from "@sandbox-agent/schema";
import * as z from "zod";
import { createTranslator } from "../../packages/agents/src/claude/translate/translator.ts";
import { readJsonLines, replayedLog } from "./replayed-log.ts";

const Line = z.object({ dir: z.string(), msg: z.unknown() });
export type Line = z.infer<typeof Line>;

const UserMessage = z.object({
  type: z.literal("user"),
  uuid: z.string().optional(),
  message: z.object({ content: z.unknown() }),
});
const Answer = z.object({ type: z.literal("control_response"), response: z.object({ request_id: z.string() }) });
const Exit = z.object({ code: z.number().nullable() });

export function readRecording(path: string): Line[] {
  return readJsonLines(path).map((line) => Line.parse(line));
}

export function replay(lines: readonly Line[]): UniversalEvent[] {
  const translator = createTranslator({ nativeSessionId: null, isLogin: false });
  const log = replayedLog(() => translator.nativeSessionId);

  function fromClient(msg: unknown): void {
    const user = UserMessage.safeParse(msg).data;
    if (user && log.state.turn) translator.turn.steer(user.uuid ?? "");
    else if (user) {
      log.send(JSON.stringify(user.message.content));
      translator.turn.send(user.uuid ?? "");
    }
    const answered = Answer.safeParse(msg).data?.response.request_id;
    if (answered === undefined) return;
    translator.requests.delete(answered);
    log.answer(answered);
  }

  for (const { dir, msg } of lines) {
    if (dir === "out") log.accept(translator.translate(msg));
    if (dir === "in") fromClient(msg);
    if (dir === "exit" && log.state.turn) {
      const stderr = { head: "", tail: null, truncated: false, total_lines: 0 };
      log.accept([{ type: "agent.exited", exit: { code: Exit.parse(msg).code, message: "exited", stderr } }]);
    }
  }
  log.end("interrupted");
  return log.events;
}
