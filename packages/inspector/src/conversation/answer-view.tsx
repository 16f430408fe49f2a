/** What was asked and how it was answered, in a line. A plan can still be read. */
import { answersOf, questionsOf } from "@sandbox-agent/schema/question";
import { MessageCircleQuestion, ShieldCheck, ShieldX } from "lucide-react";
import styles from "./conversation.module.css";
import { Plan } from "./plan.tsx";
import type { Permission, Question } from "./rows.ts";
import { commandOf, inputSummary } from "./tool-input.ts";

export function AnswerView({ answer }: { answer: Permission | Question }) {
  return "permission_id" in answer ? <PermissionAnswer permission={answer} /> : <QuestionAnswer question={answer} />;
}

function PermissionAnswer({ permission }: { permission: Permission }) {
  const { permission_id: id, action, status, metadata } = permission;
  const allowed = status === "approved";
  const asked = commandOf(metadata) ?? inputSummary(metadata);
  return (
    <div className={styles.answer}>
      {allowed ? <ShieldCheck aria-hidden className={styles.good} /> : <ShieldX aria-hidden className={styles.bad} />}
      <strong>{permissionWords(permission)}</strong> <span>{action}</span>{" "}
      <code className={styles.peek}>{asked === action ? "" : asked}</code>
      {typeof metadata?.plan === "string" && <Plan id={`answer ${id}`} text={metadata.plan} />}
    </div>
  );
}

function permissionWords({ status, metadata }: Permission): string {
  if (status === "approved") return metadata?.reply === "always" ? "Always allowed" : "Allowed once";
  return typeof metadata?.reason === "string" ? `Not answered, turn ${metadata.reason}` : "Rejected";
}

function QuestionAnswer({ question }: { question: Question }) {
  const answers = answersOf(question);
  const { question_id: id, metadata } = question;
  const declined = typeof metadata?.reason === "string" ? `Not answered, turn ${metadata.reason}` : "Declined";
  return (
    <div className={styles.answer}>
      <MessageCircleQuestion aria-hidden />
      <dl>
        {questionsOf(question).map(({ question: asked }, index) => (
          <div key={asked}>
            <dt>{asked}</dt> <dd>{answers ? (answers[index] ?? []).join(", ") : declined}</dd>
          </div>
        ))}
      </dl>
      {typeof metadata?.plan === "string" && <Plan id={`answer ${id}`} text={metadata.plan} />}
    </div>
  );
}
