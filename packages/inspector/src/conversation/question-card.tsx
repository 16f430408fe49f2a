/** A question of an agent, or a plan to approve: one option, several, or a typed answer. */
import { type QuestionPart, questionsOf } from "@sandbox-agent/schema/question";
import { MessageCircleQuestion } from "lucide-react";
import { useMemo, useState } from "react";
import { useHasScope } from "../app/access.tsx";
import { failureText } from "../app/failure-text.ts";
import { useSession } from "../app/session-context.tsx";
import { useShortcuts } from "../app/shortcuts.ts";
import { Button, Card, classNames, Input, Notice } from "../design/index.ts";
import { Answering } from "./answering.tsx";
import { Markdown } from "./markdown.tsx";
import styles from "./request.module.css";
import type { Question } from "./rows.ts";

export function QuestionCard({ question, active }: { question: Question; active: boolean }) {
  const { session } = useSession();
  const parts = useMemo(() => questionsOf(question), [question]);
  const [answers, setAnswers] = useState<string[][]>(() => parts.map(() => []));
  const [typed, setTyped] = useState<string[]>(() => parts.map(() => ""));
  const [failure, setFailure] = useState<unknown>(null);
  const [sent, setSent] = useState(false);
  const mayAnswer = useHasScope("approve");
  const plan = typeof question.metadata?.plan === "string" ? question.metadata.plan : null;
  const [only] = parts;
  const isSingle = parts.length === 1 && only !== undefined && !only.multiSelect;

  const send = async (action: () => Promise<unknown> | undefined) => {
    setSent(true);
    setFailure(null);
    try {
      await action();
    } catch (error) {
      setSent(false);
      setFailure(error);
    }
  };
  const reply = (lists: string[][]) => void send(() => session?.replyQuestion(question.question_id, lists));
  const reject = () => void send(() => session?.rejectQuestion(question.question_id));

  const choose = (index: number, part: QuestionPart, label: string) => {
    if (isSingle) return reply([[label]]);
    setAnswers(answers.map((list, at) => (at === index ? toggle(list, label, part.multiSelect) : list)));
  };
  const whole = answers.map((list, index) => (typed[index]?.trim() ? [...list, typed[index].trim()] : list));

  const keys = Object.fromEntries(
    (only?.options ?? []).slice(0, 9).map(({ label }, index) => [
      String(index + 1),
      () => {
        if (only) choose(0, only, label);
      },
    ]),
  );
  useShortcuts(mayAnswer && active && !sent ? keys : noKeys);

  return (
    <Card className={styles.request} role="group" aria-label={plan === null ? "Question" : "Plan"}>
      <header>
        <MessageCircleQuestion aria-hidden />
        <strong>{plan === null ? "Question" : "Plan"}</strong>
      </header>
      {plan && (
        <div className={styles.plan}>
          <Markdown text={plan} />
        </div>
      )}
      {parts.map((part, index) => (
        <fieldset key={part.question} className={styles.question} disabled={sent || !mayAnswer}>
          <legend>
            <Markdown text={part.question} />
          </legend>
          <div className={styles.options}>
            {part.options.map(({ label, description }, number) => (
              <Button
                key={label}
                aria-pressed={isSingle ? undefined : answers[index]?.includes(label)}
                className={classNames(styles.option, answers[index]?.includes(label) && styles.chosen)}
                onClick={() => choose(index, part, label)}
              >
                {active && index === 0 && number < 9 && <kbd>{number + 1}</kbd>}
                <span>
                  {label}
                  {description && <small>{description}</small>}
                </span>
              </Button>
            ))}
          </div>
          <Input
            aria-label="Your answer"
            placeholder={part.options.length > 0 ? "Or type your own answer" : "Your answer"}
            value={typed[index] ?? ""}
            onChange={({ target }) => setTyped(typed.map((text, at) => (at === index ? target.value : text)))}
            onKeyDown={(event) => {
              if (event.key === "Enter" && isSingle && typed[0]?.trim()) reply(whole);
            }}
          />
        </fieldset>
      ))}
      {failure !== null && <Notice tone="bad">{failureText(failure)}</Notice>}
      <Answering>
        {!(isSingle && typed[0]?.trim() === "") && (
          <Button
            look="primary"
            disabled={sent || whole.some((list) => list.length === 0)}
            onClick={() => reply(whole)}
          >
            Answer
          </Button>
        )}
        <Button look="danger" disabled={sent} onClick={reject}>
          Decline
        </Button>
      </Answering>
    </Card>
  );
}

const noKeys = {};

function toggle(list: string[], label: string, several: boolean): string[] {
  if (list.includes(label)) return list.filter((each) => each !== label);
  return several ? [...list, label] : [label];
}
