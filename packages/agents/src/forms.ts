/** Forms of agents and MCP servers: a flat JSON Schema, with one question for each of its properties. */
import { type Infer, lazy, lazyObject } from "@sandbox-agent/schema";
import * as z from "zod";
import type { ShownQuestion } from "./questions.ts";

export interface FormField {
  name: string;
  type: string;
  title: string | null;
  description: string | null;
  choices: readonly FormChoice[];
  isRequired: boolean;
}

export interface FormChoice {
  value: string;
  label: string;
  description: string;
}

/** Missing, null and invalid values become null. */
const text = lazy(() => z.string().nullish().catch(null));
const texts = lazy(() => z.array(z.string()).nullish().catch(null));
const Choice = lazyObject(() => ({ const: z.string(), title: text(), description: text() }));
const choices = lazy(() => z.array(Choice()).nullish().catch(null));

const Property = lazyObject(() => ({
  type: z.string().catch("string"),
  title: text(),
  description: text(),
  enum: texts(),
  oneOf: choices(),
  items: z.object({ enum: texts(), anyOf: choices() }).nullish().catch(null),
}));

export const Form = lazyObject(() => ({
  properties: z.record(z.string(), Property()).catch({}),
  required: texts(),
}));
export type Form = Infer<typeof Form>;

/** `booleans`: the choices of a field that is true or false. */
export function formFields({ properties, required }: Form, booleans = ["true", "false"]): FormField[] {
  return Object.entries(properties).map(([name, { type, title, description, enum: values, oneOf, items }]) => {
    const plain = values ?? items?.enum ?? (type === "boolean" ? booleans : []);
    const titled = oneOf ?? items?.anyOf ?? plain.map((value) => ({ const: value, title: null, description: null }));
    return {
      name,
      type,
      title: title ?? null,
      description: description ?? null,
      choices: titled.map((choice) => ({
        value: choice.const,
        label: choice.title ?? choice.const,
        description: choice.description ?? "",
      })),
      isRequired: required?.includes(name) ?? false,
    };
  });
}

/** `labelsOf`: question and header of a field. */
export function formQuestions(
  fields: readonly FormField[],
  labelsOf: (field: FormField) => Pick<ShownQuestion, "question" | "header">,
): ShownQuestion[] {
  return fields.map((field) => ({
    ...labelsOf(field),
    options: field.choices.map(({ label, description }) => ({ label, description })),
    multiSelect: field.type === "array",
  }));
}

/** The form's content, each answer converted to the type of its field. Fields without an answer are left out. */
export function formContent(fields: readonly FormField[], answers: readonly string[][]): Record<string, FormValue> {
  const entries = fields.flatMap((field, index) => {
    const chosen = answers[index] ?? [];
    return chosen.length === 0 ? [] : [[field.name, fieldValue(field, chosen)] as const];
  });
  return Object.fromEntries(entries);
}

export type FormValue = string | number | boolean | string[];

export function fieldValue({ type, choices: offered }: FormField, chosen: readonly string[]): FormValue {
  const values = chosen.map((answer) => offered.find(({ label }) => label === answer)?.value ?? answer);
  const [first = ""] = values;
  switch (type) {
    case "array":
      return values;
    case "boolean":
      return /^(true|yes|y|1)$/i.test(first);
    case "number":
    case "integer":
      return Number(first);
    default:
      return values.join(", ");
  }
}
