/** Forms of agents: a flat JSON Schema, with one question for each of its properties. */
import type { CreateElicitationResponse } from "@agentclientprotocol/sdk";
import type { Draft } from "../../draft.ts";
import { type FormChoice, type FormField, type FormValue, fieldValue, formFields, formQuestions } from "../../forms.ts";
import { questionDraft } from "../../questions.ts";
import type { Elicitation } from "../native.ts";

interface Field extends FormField {
  /** The text field for an answer that is none of the choices. */
  note: string | null;
  /** The choice "other". It is not offered, because a free-text answer implies it. */
  other: FormChoice | null;
}

const isOtherLabel = /^(none of the above|other)$/i;
const noteSuffix = /_(custom|note)$/;

/** The fields that become questions: those that are not the note of another field. */
export function questionFields({ requestedSchema }: Elicitation): Field[] {
  const fields = formFields(requestedSchema);
  const names = fields.map(({ name }) => name);
  const isNote = (name: string) => noteSuffix.test(name) && names.includes(name.replace(noteSuffix, ""));
  return fields
    .filter(({ name }) => !isNote(name))
    .map((field) => {
      const note = names.find((other) => isNote(other) && other.replace(noteSuffix, "") === field.name) ?? null;
      const other = note === null ? null : (field.choices.find(({ label }) => isOtherLabel.test(label)) ?? null);
      return { ...field, choices: field.choices.filter((choice) => choice !== other), note, other };
    });
}

export function formQuestion(id: string, { message, toolCallId }: Elicitation, fields: readonly Field[]): Draft {
  const questions = formQuestions(fields, ({ name, title, description }) => ({
    question: title ?? description ?? name,
    header: "",
  }));
  const prompt = [message, ...questions.map(({ question }) => question)].filter((line) => line !== "").join("\n");
  const metadata = { tool: "elicitation", ...(toolCallId && { tool_call_id: toolCallId }) };
  return questionDraft(id, { prompt, questions, metadata, otherwise: ["Done"] });
}

export function formReply(fields: readonly Field[], answers: string[][] | null): CreateElicitationResponse {
  if (!answers) return { action: "decline" };
  const entries = fields.flatMap((field, index) => filled(field, answers[index] ?? []));
  return { action: "accept", content: Object.fromEntries(entries) };
}

function filled(field: Field, chosen: readonly string[]): [string, FormValue][] {
  if (chosen.length === 0) return [];
  const isFreeText =
    field.choices.length > 0 && !chosen.every((label) => field.choices.some((each) => each.label === label));
  if (!isFreeText || field.note === null) return [[field.name, fieldValue(field, chosen)]];
  const note: [string, FormValue] = [field.note, chosen.join(", ")];
  const other = field.other ?? field.choices.at(-1);
  return field.isRequired && other ? [[field.name, other.value], note] : [note];
}
