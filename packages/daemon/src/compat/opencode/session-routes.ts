/** Sessions of the OpenCode API: those in the log, and drafts (created, but without a message yet). */
import { PermissionMode, ProblemError } from "@sandbox-agent/schema";
import * as z from "zod";
import { jsonText } from "../../http/json-text.ts";
import { requireDirectory } from "../../session/directory.ts";
import { forkTitle } from "../../session/fork.ts";
import { jsonList, Slice } from "../../slices.ts";
import { exchangeOf, type OpenCodeContext, readConversation } from "./context.ts";
import { announceDraft, type Draft, draftView } from "./drafts.ts";
import { newSessionId, toOpenCodeId } from "./ids.ts";
import { factsOf, messagesOf } from "./messages.ts";
import type { OpenCodeCall, OpenCodeRoutes } from "./router.ts";
import { sessionFor } from "./send-prompt.ts";
import { sessionView, statusView } from "./session-view.ts";
import { todosIn } from "./todos.ts";
import type { MessageWithParts, OpenCodeSession, SessionStatus, Todo } from "./wire.ts";

const Rule = z.object({ permission: z.string(), pattern: z.string(), action: z.string() });

/** Some clients send the model as `id`, others as `modelID`. */
const Model = z
  .object({
    providerID: z.string(),
    id: z.string().optional(),
    modelID: z.string().optional(),
    variant: z.string().optional(),
  })
  .transform(({ providerID, id, modelID, variant }) => ({
    providerID,
    modelID: modelID ?? id ?? "default",
    ...(variant !== undefined && { variant }),
  }));

const Create = z.object({
  title: z.string().nullish(),
  agent: z.string().nullish(),
  model: Model.nullish(),
  permission: z.array(Rule).nullish(),
  permissionMode: PermissionMode().nullish(),
  permission_mode: PermissionMode().nullish(),
});

const Fork = z.object({ messageID: z.string().optional() });

const Update = z.object({ title: z.string().optional(), model: Model.optional() });

export function sessionRoutes(context: OpenCodeContext): OpenCodeRoutes {
  const { sessions, drafts, announcements } = context;

  function viewOf(id: string): OpenCodeSession {
    const draft = drafts.find(id);
    return draft ? draftView(draft) : sessionView(sessions.get(id).info());
  }

  function announced(draft: Draft): OpenCodeSession {
    announceDraft(announcements, draft, "session.created", "session.updated");
    return draftView(draft);
  }

  /** Null for a draft, which has no messages. */
  async function conversationOf(call: OpenCodeCall, keep?: number) {
    const id = call.param("sessionID");
    if (drafts.find(id)) return null;
    const session = sessions.get(id);
    return { facts: factsOf(session.info()), conversation: await readConversation(context, session, keep) };
  }

  async function* messagesIn(call: OpenCodeCall, keep?: number): AsyncGenerator<MessageWithParts> {
    const read = await conversationOf(call, keep);
    const slice = new Slice();
    for (const message of read ? messagesOf(read.facts, read.conversation) : []) {
      yield message;
      if (slice.isOver) await slice.next();
    }
  }

  return {
    "GET /session": (call) => list(context, call),
    async "POST /session"(call) {
      const body = await call.body(Create);
      const draft = drafts.add({
        directory: await requireDirectory(call.directory),
        title: body.title ?? null,
        agentMode: body.agent ?? null,
        permissionMode: permissionModeOf(body),
        model: body.model ?? null,
      });
      return announced(draft);
    },
    async "GET /session/status"() {
      const statuses: Record<string, SessionStatus> = {};
      for (const { id } of drafts.list()) statuses[toOpenCodeId(id)] = { type: "idle" };
      for await (const { info } of sessions.list()) statuses[toOpenCodeId(info.sessionId)] = statusView(info.status);
      return statuses;
    },
    "GET /session/:sessionID": (call) => viewOf(call.param("sessionID")),
    async "PATCH /session/:sessionID"(call) {
      const id = call.param("sessionID");
      const { title, model } = await call.body(Update);
      const draft = drafts.find(id);
      if (draft) {
        draft.title = title ?? draft.title;
        draft.model = model ?? draft.model;
        announceDraft(announcements, draft, "session.updated");
        return viewOf(id);
      }
      if (model) await sessionFor(context, id, { model, agentMode: null });
      if (title !== undefined) await sessions.update(id, { title });
      return viewOf(id);
    },
    async "DELETE /session/:sessionID"(call) {
      const id = call.param("sessionID");
      const draft = drafts.find(id);
      if (draft) {
        drafts.remove(id);
        announceDraft(announcements, draft, "session.deleted");
      } else await sessions.delete(id);
      return true;
    },
    /** `messageID` is the first message that the fork leaves out: the client lets the user edit and send it again. */
    async "POST /session/:sessionID/fork"(call) {
      const id = call.param("sessionID");
      const { messageID } = await call.body(Fork);
      const draft = drafts.find(id);
      if (draft) {
        const { directory, title, agentMode, permissionMode, model } = draft;
        return announced(drafts.add({ directory, title: forkTitle(title), agentMode, permissionMode, model }));
      }
      const before = messageID === undefined ? null : await exchangeOf(context, sessions.get(id), messageID);
      const fork = await sessions.fork(id, newSessionId(), before ? { lastTurn: before.turn - 1 } : {});
      return sessionView(fork.info());
    },
    "GET /session/:sessionID/children"(call) {
      viewOf(call.param("sessionID"));
      return [];
    },
    async "GET /session/:sessionID/message"(call) {
      const limit = call.limit(Number.MAX_SAFE_INTEGER);
      // An exchange has at least one message, so `limit` exchanges are enough.
      const messages = await Array.fromAsync(messagesIn(call, limit));
      return jsonText(await jsonList(messages.slice(-limit)));
    },
    async "GET /session/:sessionID/message/:messageID"(call) {
      const id = call.param("messageID");
      for await (const message of messagesIn(call)) if (message.info.id === id) return message;
      throw new ProblemError("not_found", `there is no message ${id} in this session`);
    },
    async "GET /session/:sessionID/todo"(call): Promise<Todo[]> {
      const items = (await conversationOf(call))?.conversation.transcript.items ?? [];
      return items.map(todosIn).findLast((todos) => todos !== null) ?? [];
    },
  };
}

/** The most recently used first. */
async function list({ sessions, drafts }: OpenCodeContext, call: OpenCodeCall): Promise<OpenCodeSession[]> {
  const start = Number(call.query.get("start") ?? 0);
  const directory = call.query.get("directory");
  const search = call.query.get("search")?.toLowerCase() ?? "";
  const views = drafts.list().map(draftView);
  for await (const { info } of sessions.list()) views.push(sessionView(info));
  return views
    .filter((session) => !directory || session.directory === directory)
    .filter(({ title, time }) => title.toLowerCase().includes(search) && time.updated >= start)
    .toSorted((a, b) => b.time.updated - a.time.updated)
    .slice(0, call.limit(Number.MAX_SAFE_INTEGER));
}

/** In OpenCode, a rule that allows everything bypasses permissions. */
function permissionModeOf({
  permission,
  permissionMode,
  permission_mode,
}: z.infer<typeof Create>): PermissionMode | null {
  const isAllowed = permission?.some(
    (rule) => rule.permission === "*" && rule.pattern === "*" && rule.action === "allow",
  );
  return permissionMode ?? permission_mode ?? (isAllowed ? "bypass" : null);
}
