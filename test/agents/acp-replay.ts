/** Plays a recording of an ACP agent through the translator, and what the daemon makes of its drafts, into events. */
import type { UniversalEvent } from "@sandbox-agent/schema";
import * as z from "zod";
import { updateIn } from "../../packages/agents/src/acp/native.ts";
import type { AcpExtensions } from "../../packages/agents/src/acp/profile.ts";
import { createRequests } from "../../packages/agents/src/acp/requests.ts";
import { createTranslator } from "../../packages/agents/src/acp/translate/translator.ts";
import type { Draft } from "../../packages/agents/src/draft.ts";
import { RpcError, type RpcId } from "../../packages/agents/src/process/json-rpc.ts";
import { readJsonLines, replayedLog } from "./replayed-log.ts";

const Message = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
});
type Message = z.infer<typeof Message>;

const Prompt = z.object({ prompt: z.array(z.object({ text: z.string().catch("") })) });

function promptText(params: unknown): string {
  return Prompt.parse(params)
    .prompt.map(({ text }) => text)
    .join("\n");
}

const direction = { client: "client", in: "client", agent: "agent", out: "agent", exit: "exit" } as const;
const Line = z.object({ dir: z.enum(["client", "in", "agent", "out", "exit"]), msg: Message });

export interface Line {
  dir: "client" | "agent" | "exit";
  msg: Message;
}

export function readRecording(path: string): Line[] {
  return readJsonLines(path)
    .map((line) => Line.parse(line))
    .map(({ dir, msg }) => ({ dir: direction[dir], msg }));
}

/** Messages of the agent that belong to the conversation: what it replays when it loads a session is old. */
export function spokenLines(lines: readonly Line[]): Line[] {
  let loading: RpcId | null = null;
  return lines.filter(({ dir, msg }) => {
    if (dir === "client" && msg.method === "session/load") loading = msg.id ?? null;
    if (dir === "agent" && !msg.method && msg.id === loading) loading = null;
    return loading === null || dir === "client";
  });
}

export function replay(recorded: readonly Line[], extensions: AcpExtensions = {}): UniversalEvent[] {
  const translator = createTranslator("run");
  const requests = createRequests({ runId: "run", respond: () => {}, reject: () => {} }, translator, extensions);
  const log = replayedLog(() => "native");
  const prompts = new Set<RpcId>();
  let aborting = false;

  function accept(drafts: readonly Draft[], raw: unknown): void {
    log.accept(drafts.map((draft) => ({ ...draft, raw })));
  }

  function send(text: string): void {
    accept(translator.settle(), "settled");
    log.send(text);
    translator.begin({ isCommand: text.startsWith("/") });
    aborting = false;
  }

  function answer(id: string): void {
    requests.replyPermission(id, "once");
    log.answer(id);
  }

  function fromClient({ id, method, params }: Message): void {
    if (method === "session/prompt" && id !== undefined) {
      prompts.add(id);
      send(promptText(params));
    }
    if (method === "session/cancel") aborting = true;
    if (method === undefined && id !== undefined) answer(`run-${id}`);
  }

  function fromAgent(msg: Message): void {
    const { id, method, params, result, error } = msg;
    if (method === "session/update") {
      const update = updateIn(params);
      if (!update) throw new Error(`no update: ${JSON.stringify(msg)}`);
      accept(translator.update(update), msg);
    } else if (method === "$/cancel_request") accept(requests.onCancel(params), msg);
    else if (method !== undefined && id !== undefined) accept(requests.onRequest(id, msg, "default"), msg);
    else if (method !== undefined) accept(extensions.notification?.(method, params) ?? [], msg);
    else if (id !== undefined && prompts.delete(id))
      accept(
        error
          ? translator.onPromptError(new RpcError(error.code, error.message, error.data), { aborting, hasKey: true })
          : translator.onPromptResult(result, { aborting }),
        msg,
      );
  }

  for (const { dir, msg } of spokenLines(recorded)) {
    if (dir === "client") fromClient(msg);
    if (dir === "agent") fromAgent(msg);
  }
  accept(translator.settle(), "settled");
  log.end("interrupted");
  return log.events;
}
