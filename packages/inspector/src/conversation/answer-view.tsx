/** An answered request in one line. A plan can be opened again. */
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
  const detail = commandOf(metadata) ?? inputSummary(metadata);
  return (
    <div className={styles.answer}>
      {allowed ? <ShieldCheck aria-hidden className={styles.good} /> : <ShieldX aria-hidden className={styles.bad} />}
      <strong>{permissionText(permission)}</strong> <span>{action}</span>{" "}
      <code className={styles.peek}>{detail === action ? "" : detail}</code>
      {typeof metadata?.plan === "string" && <Plan id={`answer ${id}`} text={metadata.plan} />}
    </div>
  );
}

function permissionText({ status, metadata }: Permission): string {
  if (status === "approved") return metadata?.reply === "always" ? "Always allowed" : "Allowed once";
  return typeof metadata?.reason === "string" ? unansweredText(metadata.reason) : "Rejected";
}

/** The daemon resolves open requests itself when the turn ends or the agent withdraws them. */
function unansweredText(reason: string): string {
  return reason === "withdrawn" ? "Withdrawn by the agent" : `Not answered (turn ${reason})`;
}

function QuestionAnswer({ question }: { question: Question }) {
  const answers = answersOf(question);
  const { question_id: id, metadata } = question;
  const declined = typeof metadata?.reason === "string" ? unansweredText(metadata.reason) : "Declined";
  return (
    <div className={styles.answer}>
      <MessageCircleQuestion aria-hidden />
      <dl>
        {questionsOf(question).map(({ question: text }, index) => (
          <div key={text}>
            <dt>{text}</dt> <dd>{answers ? (answers[index] ?? []).join(", ") : declined}</dd>
          </div>
        ))}
      </dl>
      {typeof metadata?.plan === "string" && <Plan id={`answer ${id}`} text={metadata.plan} />}
    </div>
  );
}
