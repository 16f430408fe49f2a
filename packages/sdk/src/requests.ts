/** Open permissions and questions as objects that can be answered. */
import type { PermissionData, QuestionData } from "./generated/api.ts";
import type { Methods } from "./generated/methods.ts";
import type { PermissionRequest, QuestionRequest } from "./session-types.ts";

/** An open request. `emit` passes it to the listeners. */
export interface OpenRequest {
  name: "permission" | "question";
  key: string;
  emit(): void;
}

export function permissionRequest(sessionId: string, methods: Methods, data: PermissionData): PermissionRequest {
  const id = data.permission_id;
  const isOpen = async () => {
    const { permissions } = await methods.getRequests(sessionId);
    return permissions.some(({ permission_id }) => permission_id === id);
  };
  return { ...data, reply: (reply) => answer(() => methods.replyPermission(sessionId, id, { reply }), isOpen) };
}

export function questionRequest(sessionId: string, methods: Methods, data: QuestionData): QuestionRequest {
  const id = data.question_id;
  const isOpen = async () => {
    const { questions } = await methods.getRequests(sessionId);
    return questions.some(({ question_id }) => question_id === id);
  };
  return {
    ...data,
    reply: (answers) => answer(() => methods.replyQuestion(sessionId, id, { answers: answerLists(answers) }), isOpen),
    reject: () => answer(() => methods.rejectQuestion(sessionId, id), isOpen),
  };
}

/** Another client may answer first. That is not an error; the result is false. */
async function answer(send: () => Promise<void>, isOpen: () => Promise<boolean>): Promise<boolean> {
  try {
    await send();
    return true;
  } catch (error) {
    if (await isOpen()) throw error;
    return false;
  }
}

function answerLists(answers: string | string[] | string[][]): string[][] {
  if (typeof answers === "string") return [[answers]];
  const lists = answers.filter((entry) => Array.isArray(entry));
  return lists.length > 0 ? lists : [answers.filter((entry) => typeof entry === "string")];
}
