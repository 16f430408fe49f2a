/** What the agent wants to know, put to the person one after the other. What others have answered is not asked. */
import { type PermissionReply, type QuestionPart, questionsOf, type UniversalEvent } from "@sandbox-agent/schema";
import type { Person } from "./person.ts";
import type { Remote } from "./remote.ts";

type Asked = Extract<UniversalEvent, { type: "permission.requested" | "question.requested" }>;

export interface Requests {
  see(event: UniversalEvent): void;
  /** What was seen is not true any more: nothing of it is asked. */
  forget(): void;
  /** From now on what is open is asked; before, events tell of the past. */
  begin(): void;
}

/** With nobody to ask, everything is refused and `refused` told. */
export function createRequests(remote: Remote, person: Person | null, refused: (what: string) => void): Requests {
  const open = new Map<string, { event: Asked; over: AbortController }>();
  let begun = false;
  let asking = false;

  async function next(): Promise<void> {
    if (asking || !begun) return;
    asking = true;
    for (const { event, over } of open.values()) await put(event, over.signal);
    asking = false;
  }

  async function put(event: Asked, signal: AbortSignal): Promise<void> {
    const isPermission = event.type === "permission.requested";
    const id = isPermission ? event.data.permission_id : event.data.question_id;
    if (!person) refused(isPermission ? event.data.action : event.data.prompt);
    if (isPermission) {
      const reply = person ? await askPermission(person, signal) : "reject";
      if (!signal.aborted) await remote.replyPermission(id, reply);
    } else {
      const answers = person ? await askQuestions(person, questionsOf(event.data), signal) : null;
      if (!signal.aborted) await remote.replyQuestion(id, answers);
    }
    open.delete(id);
  }

  function close(id: string): void {
    open.get(id)?.over.abort();
    open.delete(id);
  }

  return {
    see(event) {
      if (event.type === "permission.resolved") return close(event.data.permission_id);
      if (event.type === "question.resolved") return close(event.data.question_id);
      if (event.type === "permission.requested")
        open.set(event.data.permission_id, { event, over: new AbortController() });
      else if (event.type === "question.requested")
        open.set(event.data.question_id, { event, over: new AbortController() });
      else return;
      void next();
    },
    forget() {
      for (const id of [...open.keys()]) close(id);
    },
    begin() {
      begun = true;
      void next();
    },
  };
}

const replies: Record<string, PermissionReply> = { y: "once", yes: "once", a: "always", always: "always" };

async function askPermission(person: Person, signal: AbortSignal): Promise<PermissionReply> {
  const line = await person.ask("Allow? [y]es, [a]lways, [N]o: ", signal);
  return replies[line?.trim().toLowerCase() ?? ""] ?? "reject";
}

async function askQuestions(
  person: Person,
  questions: QuestionPart[],
  signal: AbortSignal,
): Promise<string[][] | null> {
  const answers: string[][] = [];
  for (const question of questions) {
    const line = await person.ask(questionText(question), signal);
    if (line === null || line.trim() === "") return null;
    answers.push(chosen(question, line));
  }
  return answers;
}

function questionText({ question, options, multiSelect }: QuestionPart): string {
  const choices = options.map(({ label, description }, index) => {
    return `  ${index + 1}. ${label}${description ? ` (${description})` : ""}`;
  });
  const how = multiSelect ? "numbers, separated by commas, or your own words" : "a number, or your own words";
  return [question, ...choices, `${how}; nothing rejects the question: `].join("\n");
}

/** Numbers stand for options; anything else is an answer in one's own words. */
export function chosen({ options, multiSelect }: QuestionPart, line: string): string[] {
  const words = multiSelect ? line.split(",") : [line];
  return words
    .map((word) => word.trim())
    .filter(Boolean)
    .map((word) => options[Number(word) - 1]?.label ?? word);
}
