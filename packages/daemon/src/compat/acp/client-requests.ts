/**
 * Asks the client of an ACP connection for permissions and answers. Another client may answer the same request first,
 * through any API: the request is then withdrawn here, and a reply that arrives later changes nothing.
 */
import type { AgentContext, SendRequestOptions } from "@agentclientprotocol/sdk/unstable";
import { background } from "@sandbox-agent/agents";
import {
  type PermissionData,
  type PermissionReply,
  permissionKeys,
  type QuestionData,
  questionsOf,
} from "@sandbox-agent/schema";
import type { Session } from "../../session/session.ts";
import { permissionReply, permissionRequest } from "./translate/permission.ts";
import {
  type Answers,
  canChoose,
  choiceAnswer,
  choiceRequest,
  ExtensionReply,
  extensionRequest,
  formAnswers,
  formRequest,
  questionMethod,
} from "./translate/question.ts";

/** How questions are sent to a client. */
export type QuestionStyle = "form" | "extension" | "choice";

export type ClientRequests = ReturnType<typeof createClientRequests>;

export function createClientRequests(session: Session, client: AgentContext, style: QuestionStyle) {
  const open = new Map<string, AbortController>();
  /** Keys of permissions that this client always rejects. */
  const rejected = new Set<string>();

  /** An error of the client counts as a rejection, because the agent must not wait for a client that cannot answer. */
  async function ask<T>(
    id: string,
    send: (options: SendRequestOptions) => Promise<T>,
    reply: (answer: T | null) => Promise<void>,
  ): Promise<void> {
    const controller = new AbortController();
    open.set(id, controller);
    const answer = await send({ cancellationSignal: controller.signal, stopWaitingOnCancel: true }).catch(() => null);
    if (!open.delete(id)) return;
    // Fails if another client has answered in the meantime: the first answer in the log counts.
    await reply(answer).catch(() => {});
  }

  async function chosenAnswers(question: QuestionData, options: SendRequestOptions): Promise<Answers> {
    if (!canChoose(question)) return null;
    const answers: string[][] = [];
    for (const index of questionsOf(question).keys()) {
      const request = choiceRequest(session.id, question, index);
      const { outcome } = await client.request("session/request_permission", request, options);
      const answer = choiceAnswer(question, index, outcome);
      if (answer === null) return null;
      answers.push([answer]);
    }
    return answers;
  }

  async function answersOf(question: QuestionData, options: SendRequestOptions): Promise<Answers> {
    switch (style) {
      case "form":
        return formAnswers(
          question,
          await client.request("elicitation/create", formRequest(session.id, question), options),
        );
      case "extension": {
        const reply: unknown = await client.request(questionMethod, extensionRequest(session.id, question), options);
        return ExtensionReply.parse(reply).answers;
      }
      case "choice":
        return chosenAnswers(question, options);
    }
  }

  return {
    permission(permission: PermissionData): void {
      const id = permission.permission_id;
      const keys = permissionKeys(permission);
      const send = async (options: SendRequestOptions): Promise<PermissionReply> => {
        if (keys.some((key) => rejected.has(key))) return "reject";
        const params = permissionRequest(session.id, permission);
        const { outcome } = await client.request("session/request_permission", params, options);
        const { reply, forAll } = permissionReply(outcome);
        if (forAll) for (const key of keys) rejected.add(key);
        return reply;
      };
      const request = ask(id, send, (reply) => session.replyPermission(id, reply ?? "reject"));
      background("ask an ACP client for a permission", request, session.id);
    },
    question(question: QuestionData): void {
      const id = question.question_id;
      const send = (options: SendRequestOptions) => answersOf(question, options);
      const request = ask(id, send, (answers) => session.replyQuestion(id, answers));
      background("ask an ACP client a question", request, session.id);
    },
    /** The request was resolved elsewhere. */
    withdraw(requestId: string): void {
      const controller = open.get(requestId);
      open.delete(requestId);
      controller?.abort();
    },
    /** The client has disconnected; other clients can still answer its requests. */
    leave: () => open.clear(),
  };
}
