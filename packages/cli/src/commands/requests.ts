/** `api sessions requests | reply-permission | reply-question | reject-question`: requests of agents, and their answers. */
import { PermissionReply, QuestionReplyRequest } from "@sandbox-agent/schema";
import { type Command, Option } from "commander";
import { addOperation } from "../operation-command.ts";
import { json } from "../option-values.ts";

export function addRequests(sessions: Command): void {
  addOperation(sessions, {
    operation: "getRequests",
    usage: "requests <session-id>",
    request: (session_id: string) => ({ params: { session_id } }),
  });
  addOperation(sessions, {
    operation: "replyPermission",
    usage: "reply-permission <session-id> <permission-id>",
    request: (session_id: string, permission_id: string, { reply }: { reply: PermissionReply }) => ({
      params: { session_id, permission_id },
      body: { reply },
    }),
  }).addOption(
    new Option("-r, --reply <reply>", "the answer (required)").choices(PermissionReply().options).makeOptionMandatory(),
  );
  addOperation(sessions, {
    operation: "replyQuestion",
    usage: "reply-question <session-id> <question-id>",
    request: (session_id: string, question_id: string, { answers }: { answers: string[][] }) => ({
      params: { session_id, question_id },
      body: { answers },
    }),
  }).requiredOption(
    "-a, --answers <json>",
    'the chosen options, one list per question, as in [["Yes"]] (required)',
    json(QuestionReplyRequest().shape.answers),
  );
  addOperation(sessions, {
    operation: "rejectQuestion",
    usage: "reject-question <session-id> <question-id>",
    request: (session_id: string, question_id: string) => ({ params: { session_id, question_id } }),
  });
}
