/** Messages of clients to an agent, and replies to its requests. */
import * as z from "zod";
import { type Infer, lazy } from "./lazy.ts";

export const Attachment = lazy(() =>
  z
    .object({ path: z.string().min(1), mime: z.string().optional(), filename: z.string().optional() })
    .meta({ id: "Attachment" }),
);
export type Attachment = Infer<typeof Attachment>;

export const Delivery = lazy(() =>
  z.enum(["queue", "steer", "reject"]).meta({
    id: "Delivery",
    description:
      "What to do while a turn is running: `queue` runs the message after it, `steer` passes it to the running turn if the agent supports that, `reject` answers 409.",
  }),
);
export type Delivery = Infer<typeof Delivery>;

export const MessageRequest = lazy(() =>
  z
    .object({
      message: z.string().refine((text) => text.trim() !== "", "must not be blank"),
      attachments: z.array(Attachment()).optional(),
      delivery: Delivery().optional().meta({ description: "Default `queue`" }),
    })
    .meta({ id: "MessageRequest" }),
);
export type MessageRequest = Infer<typeof MessageRequest>;

export const QueuedMessage = lazy(() =>
  z
    .object({
      messageId: z.string(),
      message: z.string(),
      attachments: z.array(Attachment()).optional(),
      queuedAt: z.number().meta({ description: "Epoch milliseconds" }),
    })
    .meta({ id: "QueuedMessage" }),
);
export type QueuedMessage = Infer<typeof QueuedMessage>;

export const PermissionReply = lazy(() => z.enum(["once", "always", "reject"]).meta({ id: "PermissionReply" }));
export type PermissionReply = Infer<typeof PermissionReply>;

export const PermissionReplyRequest = lazy(() =>
  z.object({ reply: PermissionReply() }).meta({ id: "PermissionReplyRequest" }),
);
export type PermissionReplyRequest = Infer<typeof PermissionReplyRequest>;

export const QuestionReplyRequest = lazy(() =>
  z
    .object({ answers: z.array(z.array(z.string())).meta({ description: "Chosen options, one list per question" }) })
    .meta({ id: "QuestionReplyRequest" }),
);
export type QuestionReplyRequest = Infer<typeof QuestionReplyRequest>;
