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

/** How a client can be asked a question. */
export type QuestionStyle = "form" | "extension" | "choice";

export type Asking = ReturnType<typeof createAsking>;

export function createAsking(session: Session, client: AgentContext, style: QuestionStyle) {
  const open = new Map<string, AbortController>();
  /** Keys of permissions that this client never wants to grant. */
  const refused = new Set<string>();

  /** An error of the client is a no: an agent must not wait for somebody who cannot answer. */
  async function ask<T>(
    id: string,
    put: (options: SendRequestOptions) => Promise<T>,
    reply: (answer: T | null) => Promise<void>,
  ): Promise<void> {
    const controller = new AbortController();
    open.set(id, controller);
    const answer = await put({ cancellationSignal: controller.signal, stopWaitingOnCancel: true }).catch(() => null);
    if (!open.delete(id)) return;
    // Somebody else may have answered in this moment; the log says who was first.
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
      const put = async (options: SendRequestOptions): Promise<PermissionReply> => {
        if (keys.some((key) => refused.has(key))) return "reject";
        const request = permissionRequest(session.id, permission);
        const { outcome } = await client.request("session/request_permission", request, options);
        const { reply, forAll } = permissionReply(outcome);
        if (forAll) for (const key of keys) refused.add(key);
        return reply;
      };
      const asked = ask(id, put, (reply) => session.replyPermission(id, reply ?? "reject"));
      background("ask an ACP client for a permission", asked, session.id);
    },
    question(question: QuestionData): void {
      const id = question.question_id;
      const put = (options: SendRequestOptions) => answersOf(question, options);
      const asked = ask(id, put, (answers) => session.replyQuestion(id, answers));
      background("ask an ACP client a question", asked, session.id);
    },
    /** Somebody has settled this request. */
    withdraw(requestId: string): void {
      const controller = open.get(requestId);
      open.delete(requestId);
      controller?.abort();
    },
    /** The client has left; its requests are for others to answer. */
    leave: () => open.clear(),
  };
}
