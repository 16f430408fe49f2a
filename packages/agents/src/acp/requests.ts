/** Requests of the agent that wait for a reply of the user: permissions, questions, forms and vendor requests. */
import { lazyObject, type PermissionMode, type PermissionReply } from "@sandbox-agent/schema";
import * as z from "zod";
import type { Draft } from "../draft.ts";
import type { RpcId, RpcMessage } from "../process/json-rpc.ts";
import { type Connection, methodNotFound } from "./connection.ts";
import { Elicitation, PermissionRequest } from "./native.ts";
import type { AcpExtensions } from "./profile.ts";
import { formQuestion, formReply, questionFields } from "./translate/elicitation.ts";
import {
  cancelled,
  isAllowed,
  isPlanReview,
  permissionDraft,
  permissionReply,
  planQuestion,
  planReply,
} from "./translate/permission.ts";
import type { Translator } from "./translate/translator.ts";
import { userAnswer, userQuestion } from "./translate/user-question.ts";

interface Pending {
  rpcId: RpcId;
  /** The result for the agent if the request is a permission. */
  permission?(reply: PermissionReply): unknown;
  /** The result for the agent if the request is a question. `null` = the user rejected it. */
  question?(answers: string[][] | null): unknown;
  /** The result for the agent if the turn is aborted. */
  cancelled: unknown;
}

const invalidParams = -32602;
const requestCancelled = -32800;

const CancelParams = lazyObject(() => ({ requestId: z.union([z.string(), z.number()]) }));

export type Requests = ReturnType<typeof createRequests>;

export function createRequests(
  { runId, respond, reject }: Pick<Connection, "runId" | "respond" | "reject">,
  translator: Pick<Translator, "onPermissionRequest" | "record">,
  extensions: AcpExtensions,
) {
  const open = new Map<string, Pending>();
  const requestId = (rpcId: RpcId) => `${runId}-${rpcId}`;

  /** Throws if the request cannot be parsed. */
  function onRequest(rpcId: RpcId, { method = "", params }: RpcMessage, mode: PermissionMode): Draft[] {
    if (method === "session/request_permission")
      return onPermissionRequest(rpcId, PermissionRequest().parse(params), mode);
    if (method === "elicitation/create") return onElicitation(rpcId, Elicitation().parse(params));
    return onVendorRequest(rpcId, method, params);
  }

  function onPermissionRequest(rpcId: RpcId, request: PermissionRequest, mode: PermissionMode): Draft[] {
    const id = requestId(rpcId);
    const { drafts, call } = translator.onPermissionRequest(request);
    const question = userQuestion(id, request, call);
    if (question) {
      open.set(id, { rpcId, question: (answers) => userAnswer(request, answers), cancelled });
      return [...drafts, question];
    }
    if (isAllowed(request, call, mode)) {
      respond(rpcId, permissionReply(request, "once"));
      return drafts;
    }
    if (isPlanReview(request, call)) {
      open.set(id, { rpcId, question: (answers) => planReply(request, answers), cancelled });
      return [...drafts, planQuestion(id, request, call)];
    }
    open.set(id, { rpcId, permission: (reply) => permissionReply(request, reply), cancelled });
    return [...drafts, permissionDraft(id, request, call)];
  }

  function onElicitation(rpcId: RpcId, request: Elicitation): Draft[] {
    const fields = questionFields(request);
    const id = requestId(rpcId);
    open.set(id, { rpcId, question: (answers) => formReply(fields, answers), cancelled: { action: "cancel" } });
    return translator.record([formQuestion(id, request, fields)]);
  }

  function onVendorRequest(rpcId: RpcId, method: string, params: unknown): Draft[] {
    const request = extensions.request?.(method, params) ?? null;
    if (!request) {
      reject(rpcId, methodNotFound, `this client does not support ${method}`);
      return [];
    }
    if (request.kind === "notice") {
      respond(rpcId, request.result);
      return translator.record(request.drafts);
    }
    const id = requestId(rpcId);
    open.set(id, { rpcId, question: request.result, cancelled: request.cancelled });
    return translator.record([{ type: "question.requested", question: { question_id: id, ...request.question } }]);
  }

  /** A request that is no longer open is ignored. */
  function close(id: string, result: (pending: Pending) => unknown): void {
    const pending = open.get(id);
    if (!pending) return;
    open.delete(id);
    respond(pending.rpcId, result(pending));
  }

  return {
    onRequest,
    rejectInvalid: (rpcId: RpcId) => reject(rpcId, invalidParams, "this request cannot be parsed"),
    get size() {
      return open.size;
    },
    replyPermission: (id: string, reply: PermissionReply) =>
      close(id, (pending) => (pending.permission ? pending.permission(reply) : pending.cancelled)),
    replyQuestion: (id: string, answers: string[][] | null) =>
      close(id, (pending) => (pending.question ? pending.question(answers) : pending.cancelled)),
    /** Answers all open requests as cancelled, because agents may wait for a reply even after they were interrupted. */
    cancelAll(): void {
      for (const id of [...open.keys()]) close(id, (pending) => pending.cancelled);
    },
    /** `$/cancel_request`: the agent withdraws a request. */
    onCancel(params: unknown): Draft[] {
      const { data } = CancelParams().safeParse(params);
      const id = data ? requestId(data.requestId) : "";
      const pending = open.get(id);
      if (!pending) return [];
      open.delete(id);
      reject(pending.rpcId, requestCancelled, "cancelled");
      return [{ type: "request.withdrawn", request_id: id }];
    },
  };
}
