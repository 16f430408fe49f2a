/** Events for what clients do: messages, replies, cancelled messages. Pure. */
import type { Turn } from "@sandbox-agent/agents";
import type {
  Attachment,
  ContentPart,
  PermissionData,
  PermissionReply,
  QuestionData,
  SessionState,
  UniversalItem,
} from "@sandbox-agent/schema";
import type { EventBody } from "./normalize.ts";

/** The user's message as an item that starts and completes at once. */
export function userItem(state: SessionState, { text, attachments }: Turn, nativeId: string | null): EventBody[] {
  const item: Omit<UniversalItem, "status"> = {
    item_id: `itm_${state.itemCount + 1}`,
    native_item_id: nativeId,
    parent_id: null,
    kind: "message",
    role: "user",
    content: messageContent(text, attachments),
  };
  return [
    { type: "item.started", data: { item: { ...item, status: "in_progress" } }, synthetic: true },
    { type: "item.completed", data: { item: { ...item, status: "completed" } }, synthetic: true },
  ];
}

/** The text and the attachments of a user's message. */
export function messageContent(text: string, attachments: readonly Attachment[]): ContentPart[] {
  return [{ type: "text", text }, ...attachments.map(attachmentPart)];
}

export function permissionResolved(open: PermissionData, reply: PermissionReply): EventBody {
  const status = reply === "reject" ? "denied" : "approved";
  const metadata = { ...open.metadata, reply };
  return { type: "permission.resolved", data: { ...open, status, metadata }, synthetic: true };
}

/** `null` = the question was rejected. */
export function questionResolved(open: QuestionData, answers: string[][] | null): EventBody {
  const status = answers ? "answered" : "rejected";
  const metadata = { ...open.metadata, ...(answers && { answers }) };
  const data = { ...open, status, response: answers?.flat()[0] ?? null, metadata } as const;
  return { type: "question.resolved", data, synthetic: true };
}

export function queueCancelled({ queue }: SessionState): EventBody[] {
  return queue.map(({ messageId }) => ({
    type: "message.cancelled",
    data: { message_id: messageId },
    synthetic: true,
  }));
}

function attachmentPart({ path, mime }: Attachment): ContentPart {
  return mime?.startsWith("image/") ? { type: "image", path, mime } : { type: "file_ref", path, action: "read" };
}
