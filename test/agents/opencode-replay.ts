/**
 * Replays recorded OpenCode traffic as the daemon would have seen it: prompts begin turns, replies resolve requests, native
 * events go through the translator, and the drafts become events through the daemon's own `normalize` and fold.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { UniversalEvent } from "@sandbox-agent/schema";
import type { Draft } from "../../packages/agents/src/draft.ts";
import { parentOfCreated, sessionOf } from "../../packages/agents/src/opencode/translate/native.ts";
import { createTranslator } from "../../packages/agents/src/opencode/translate/translator.ts";
import { replayedLog } from "./replayed-log.ts";

export const fixtures = join(import.meta.dirname, "../fixtures/opencode");

export interface Recorded {
  kind: "request" | "response" | "event" | "global-event" | "note";
  method?: string;
  path?: string;
  status?: number;
  // biome-ignore lint/suspicious/noExplicitAny: recordings hold bodies of every shape
  body?: any;
  // biome-ignore lint/suspicious/noExplicitAny: the native event, as it came
  event?: any;
  text?: string;
}

export function recording(name: string): Recorded[] {
  const lines: Recorded[] = readFileSync(join(fixtures, name), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  // Where both streams were recorded, every event is there twice.
  const isGlobal = lines.some(({ kind }) => kind === "global-event");
  return lines.filter(({ kind }) => kind !== (isGlobal ? "event" : "global-event"));
}

export function payloadOf({ kind, event }: Recorded): unknown {
  if (kind === "event") return event;
  return kind === "global-event" ? event.payload : undefined;
}

/** The conversations of a recording: every session that is nobody's subagent. */
export function rootSessions(lines: readonly Recorded[]): string[] {
  const created = lines.map(payloadOf).filter((payload) => isCreated(payload) && parentOfCreated(payload) === null);
  return created.map(sessionOf).filter((id) => id !== null);
}

export function replay(lines: readonly Recorded[], nativeSessionId: string): UniversalEvent[] {
  const translator = createTranslator(nativeSessionId);
  const log = replayedLog(() => nativeSessionId);
  const family = new Set([nativeSessionId]);

  let aborting = false;
  /** The daemon knows that it has asked for the end; the agent does not always report that as the reason. */
  const accept = (drafts: readonly Draft[]) =>
    log.accept(
      drafts.map((draft) =>
        aborting && draft.type === "turn.ended" ? { ...draft, reason: draft.reason ?? "aborted" } : draft,
      ),
    );

  const isOurs = (path = "") => path.startsWith(`/session/${nativeSessionId}/`);
  for (const line of lines) {
    if (line.kind === "note" && line.text?.startsWith("server killed"))
      log.accept(translator.fail({ message: "the server was killed", code: "process_exit" }));
    if (line.kind === "request" && isOurs(line.path) && line.path?.endsWith("/prompt_async") && !translator.running) {
      log.send(line.body?.parts?.[0]?.text ?? "");
      translator.begin(128_000);
      aborting = false;
    }
    if (line.kind === "request" && isOurs(line.path) && line.path?.endsWith("/abort")) aborting = true;
    const reply =
      line.kind === "request" ? line.path?.match(/\/(?:permission|permissions|question)\/((?:per|que)_\w+)/) : null;
    if (reply?.[1] && translator.requests.take(reply[1])) log.answer(reply[1]);
    const payload = payloadOf(line);
    const session = sessionOf(payload);
    const parent = parentOfCreated(payload);
    if (session && parent && family.has(parent)) family.add(session);
    if (payload !== undefined && session && family.has(session)) accept(translator.translate(payload));
  }
  // What the driver does when nothing more comes.
  if (translator.running) accept(translator.settle());
  return log.events;
}

function isCreated(payload: unknown): boolean {
  return typeof payload === "object" && payload !== null && "type" in payload && payload.type === "session.created";
}
