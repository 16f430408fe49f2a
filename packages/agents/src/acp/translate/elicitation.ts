/** Forms that agents ask to be filled in: a flat JSON Schema, one question for each of its properties. */
import type { CreateElicitationResponse } from "@agentclientprotocol/sdk";
import type { Draft } from "../../draft.ts";
import { typedAnswer } from "../../form-answer.ts";
import type { Elicitation, FormProperty } from "../native.ts";

interface Choice {
  value: string;
  label: string;
  description: string;
}

interface Field {
  name: string;
  type: string;
  label: string;
  choices: readonly Choice[];
  isRequired: boolean;
  /** The text field beside it that takes an answer which is none of the choices. */
  note: string | null;
  /** The choice that says "see the note". It is not offered: an answer in own words stands for it. */
  other: Choice | null;
}

const standsForNote = /^(none of the above|other)$/i;
const noteSuffix = /_(custom|note)$/;

export function formFields({ requestedSchema: { properties, required } }: Elicitation): Field[] {
  const names = Object.keys(properties);
  const isNote = (name: string) => noteSuffix.test(name) && names.includes(name.replace(noteSuffix, ""));
  return Object.entries(properties)
    .filter(([name]) => !isNote(name))
    .map(([name, property]) => {
      const note = names.find((other) => isNote(other) && other.replace(noteSuffix, "") === name) ?? null;
      const choices = choicesOf(property);
      const other = note === null ? null : (choices.find(({ label }) => standsForNote.test(label)) ?? null);
      return {
        name,
        type: property.type,
        label: property.title ?? property.description ?? name,
        choices: choices.filter((choice) => choice !== other),
        isRequired: required?.includes(name) ?? false,
        note,
        other,
      };
    });
}

function choicesOf({ type, enum: values, oneOf, items }: FormProperty): Choice[] {
  const titled = oneOf ?? items?.anyOf;
  if (titled)
    return titled.map(({ const: value, title, description }) => ({
      value,
      label: title ?? value,
      description: description ?? "",
    }));
  const plain = values ?? items?.enum ?? (type === "boolean" ? ["true", "false"] : []);
  return plain.map((value) => ({ value, label: value, description: "" }));
}

export function formQuestion(id: string, { message, toolCallId }: Elicitation, fields: readonly Field[]): Draft {
  const questions = fields.map(({ label, choices, type }) => ({
    question: label,
    header: "",
    options: choices.map(({ label: option, description }) => ({ label: option, description })),
    multiSelect: type === "array",
  }));
  const prompt = [message, ...fields.map(({ label }) => label)].filter((line) => line !== "").join("\n");
  const options = fields[0]?.choices.map(({ label }) => label) ?? ["Done"];
  const metadata = { tool: "elicitation", ...(toolCallId && { tool_call_id: toolCallId }), questions };
  return { type: "question.requested", question: { question_id: id, prompt, options, metadata } };
}

export function formReply(fields: readonly Field[], answers: string[][] | null): CreateElicitationResponse {
  if (!answers) return { action: "decline" };
  const entries = fields.flatMap((field, index) => filled(field, answers[index] ?? []));
  return { action: "accept", content: Object.fromEntries(entries) };
}

type Value = string | number | boolean | string[];

function filled(field: Field, chosen: readonly string[]): [string, Value][] {
  if (chosen.length === 0) return [];
  const values = chosen.map((label) => field.choices.find((choice) => choice.label === label)?.value ?? label);
  const isOwn =
    field.choices.length > 0 && !chosen.every((label) => field.choices.some((each) => each.label === label));
  if (!isOwn || field.note === null) return [[field.name, typedAnswer(field.type, values)]];
  const note: [string, Value] = [field.note, chosen.join(", ")];
  const other = field.other ?? field.choices.at(-1);
  return field.isRequired && other ? [[field.name, other.value], note] : [note];
}
