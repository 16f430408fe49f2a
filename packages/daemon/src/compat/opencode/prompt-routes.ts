/** Prompts, commands and abort; permissions and questions with their replies. */
import { ProblemError } from "@sandbox-agent/schema";
import * as z from "zod";
import type { Session } from "../../session/session.ts";
import { type OpenCodeContext, readConversation } from "./context.ts";
import type { Conversation } from "./conversation.ts";
import { parseRequestId, type RequestPrefix, toOpenCodeId } from "./ids.ts";
import { Prompt } from "./prompt.ts";
import { openPermissions, openQuestions } from "./requests.ts";
import type { OpenCodeCall, OpenCodeRoutes } from "./router.ts";
import { answerTo, sendPrompt, sessionFor } from "./send-prompt.ts";

const Reply = z.enum(["once", "always", "reject"]);

const Command = z.object({
  messageID: z.string().optional(),
  command: z.string().min(1),
  arguments: z.string().catch(""),
  agent: z.string().nullish(),
  model: z.string().nullish(),
  variant: z.string().nullish(),
});

const Init = z.object({ providerID: z.string().optional(), modelID: z.string().optional() });

export function promptRoutes(context: OpenCodeContext): OpenCodeRoutes {
  const { sessions, drafts } = context;

  async function replyPermission(id: string, reply: z.infer<typeof Reply>): Promise<true> {
    const { session, requestId } = openRequest("per", id);
    await session.replyPermission(requestId, reply);
    return true;
  }

  async function replyQuestion(id: string, answers: string[][] | null): Promise<true> {
    const { session, requestId } = openRequest("que", id);
    await session.replyQuestion(requestId, answers);
    return true;
  }

  /** The id contains the sequence of the event that opened the request; no two requests share one. */
  function openRequest(prefix: RequestPrefix, id: string): { session: Session; requestId: string } {
    const place = parseRequestId(prefix, id);
    const session = place && sessions.peek(place.sessionId) ? sessions.get(place.sessionId) : null;
    for (const [requestId, askedAt] of Object.entries(session?.state.requestedAt ?? {}))
      if (session && askedAt === place?.askedAt) return { session, requestId };
    throw new ProblemError("not_found", `no request ${id} is open; it may have been answered already`);
  }

  async function listOpen<Request>(
    list: (session: Session, conversation: Conversation) => Request[],
  ): Promise<Request[]> {
    context.log.flush();
    const requests: Request[] = [];
    for (const session of sessions.live()) {
      if (Object.keys(session.state.requestedAt).length === 0) continue;
      requests.push(...list(session, await readConversation(context, session, 2)));
    }
    return requests;
  }

  return {
    async "POST /session/:sessionID/message"(call) {
      const sent = await sendPrompt(context, call.param("sessionID"), await call.body(Prompt));
      return answerTo(context, sent, call.signal);
    },
    async "POST /session/:sessionID/prompt_async"(call) {
      await sendPrompt(context, call.param("sessionID"), await call.body(Prompt));
      return new Response(null, { status: 204 });
    },
    /** Agents with commands read them from a message that starts with a slash. */
    async "POST /session/:sessionID/command"(call) {
      const { command, arguments: rest, model, ...prompt } = await call.body(Command);
      const text = `/${command} ${rest}`.trim();
      const [providerID = "", ...names] = model?.split("/") ?? [];
      const sent = await sendPrompt(context, call.param("sessionID"), {
        ...prompt,
        ...(model && { model: { providerID, modelID: names.join("/") } }),
        parts: [{ type: "text", text }],
      });
      return answerTo(context, sent, call.signal);
    },
    async "POST /session/:sessionID/init"(call) {
      const id = call.param("sessionID");
      const { providerID, modelID } = await call.body(Init);
      if (!drafts.find(id) && !sessions.peek(id)) drafts.add({ id, directory: call.directory });
      const model = providerID ? { providerID, modelID: modelID ?? "default" } : null;
      await sessionFor(context, id, { model, agentMode: null });
      return true;
    },
    async "POST /session/:sessionID/abort"(call) {
      if (!drafts.find(call.param("sessionID"))) await sessions.get(call.param("sessionID")).abort();
      return true;
    },
    "GET /permission": () =>
      listOpen((session, read) => openPermissions(toOpenCodeId(session.id), session.state, read)),
    "GET /question": () => listOpen((session, read) => openQuestions(toOpenCodeId(session.id), session.state, read)),
    "POST /permission/:requestID/reply": async (call) =>
      replyPermission(call.param("requestID"), (await call.body(z.object({ reply: Reply }))).reply),
    "POST /session/:sessionID/permissions/:requestID": async (call) =>
      replyPermission(call.param("requestID"), (await call.body(z.object({ response: Reply }))).response),
    async "POST /question/:requestID/reply"(call: OpenCodeCall) {
      const { answers } = await call.body(z.object({ answers: z.array(z.array(z.string())) }));
      return replyQuestion(call.param("requestID"), answers);
    },
    "POST /question/:requestID/reject": (call) => replyQuestion(call.param("requestID"), null),
  };
}
