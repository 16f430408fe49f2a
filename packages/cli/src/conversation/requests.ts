/** Asks the user about open permissions and questions, one after the other. Requests that others have answered are skipped. */
import { type PermissionReply, type QuestionPart, questionsOf, type UniversalEvent } from "@sandbox-agent/schema";
import type { Remote } from "./remote.ts";
import type { TerminalInput } from "./terminal-input.ts";

type RequestEvent = Extract<UniversalEvent, { type: "permission.requested" | "question.requested" }>;

export interface Requests {
  onEvent(event: UniversalEvent): void;
  /** Drops all open requests. */
  clear(): void;
  /** Starts asking; requests before are history and may be answered already. */
  start(): void;
}

/** Without input, every request is rejected and reported to `onRejected`. */
export function createRequests(
  remote: Remote,
  input: TerminalInput | null,
  onRejected: (request: string) => void,
): Requests {
  const open = new Map<string, { event: RequestEvent; resolved: AbortController }>();
  let started = false;
  let asking = false;

  async function next(): Promise<void> {
    if (asking || !started) return;
    asking = true;
    for (const { event, resolved } of open.values()) await ask(event, resolved.signal);
    asking = false;
  }

  async function ask(event: RequestEvent, signal: AbortSignal): Promise<void> {
    const isPermission = event.type === "permission.requested";
    const id = isPermission ? event.data.permission_id : event.data.question_id;
    if (!input) onRejected(isPermission ? event.data.action : event.data.prompt);
    if (isPermission) {
      const reply = input ? await askPermission(input, signal) : "reject";
      if (!signal.aborted) await remote.replyPermission(id, reply);
    } else {
      const answers = input ? await askQuestions(input, questionsOf(event.data), signal) : null;
      if (!signal.aborted) await remote.replyQuestion(id, answers);
    }
    open.delete(id);
  }

  function close(id: string): void {
    open.get(id)?.resolved.abort();
    open.delete(id);
  }

  return {
    onEvent(event) {
      if (event.type === "permission.resolved") return close(event.data.permission_id);
      if (event.type === "question.resolved") return close(event.data.question_id);
      if (event.type === "permission.requested")
        open.set(event.data.permission_id, { event, resolved: new AbortController() });
      else if (event.type === "question.requested")
        open.set(event.data.question_id, { event, resolved: new AbortController() });
      else return;
      void next();
    },
    clear() {
      for (const id of [...open.keys()]) close(id);
    },
    start() {
      started = true;
      void next();
    },
  };
}

const replies: Record<string, PermissionReply> = { y: "once", yes: "once", a: "always", always: "always" };

async function askPermission(input: TerminalInput, signal: AbortSignal): Promise<PermissionReply> {
  const line = await input.ask("Allow? [y]es, [a]lways, [N]o: ", signal);
  return replies[line?.trim().toLowerCase() ?? ""] ?? "reject";
}

async function askQuestions(
  input: TerminalInput,
  questions: QuestionPart[],
  signal: AbortSignal,
): Promise<string[][] | null> {
  const answers: string[][] = [];
  for (const question of questions) {
    const line = await input.ask(questionText(question), signal);
    if (line === null || line.trim() === "") return null;
    answers.push(chosen(question, line));
  }
  return answers;
}

function questionText({ question, options, multiSelect }: QuestionPart): string {
  const choices = options.map(({ label, description }, index) => {
    return `  ${index + 1}. ${label}${description ? ` (${description})` : ""}`;
  });
  const how = multiSelect ? "Numbers separated by commas, or your own answer" : "A number, or your own answer";
  return [question, ...choices, `${how} (empty to reject): `].join("\n");
}

/** Numbers select options; anything else is a custom answer. */
export function chosen({ options, multiSelect }: QuestionPart, line: string): string[] {
  const words = multiSelect ? line.split(",") : [line];
  return words
    .map((word) => word.trim())
    .filter(Boolean)
    .map((word) => options[Number(word) - 1]?.label ?? word);
}
