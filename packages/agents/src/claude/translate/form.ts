/** Forms that MCP servers ask to be filled in: a flat JSON Schema, one question for each of its properties. */
import * as z from "zod";
import { typedAnswer } from "../../form-answer.ts";

export interface FormField {
  name: string;
  label: string;
  type: string;
  options: readonly string[];
  multiple: boolean;
}

const Property = z.object({
  type: z.string().catch("string"),
  title: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
  items: z.object({ enum: z.array(z.string()).optional() }).optional(),
});

const Form = z.object({ properties: z.record(z.string(), Property).default({}) });

export function formFields(schema: Record<string, unknown>): FormField[] {
  const { data } = Form.safeParse(schema);
  return Object.entries(data?.properties ?? {}).map(([name, property]) => ({
    name,
    label: property.description ?? property.title ?? name,
    type: property.type,
    options: property.enum ?? property.items?.enum ?? (property.type === "boolean" ? ["true", "false"] : []),
    multiple: property.type === "array",
  }));
}

/** The filled form, each answer in the type its field wants. */
export function formContent(fields: readonly FormField[], answers: readonly string[][]): Record<string, unknown> {
  const entries = fields.flatMap(({ name, type }, index): [string, unknown][] => {
    const chosen = answers[index] ?? [];
    return chosen.length === 0 ? [] : [[name, typedAnswer(type, chosen)]];
  });
  return Object.fromEntries(entries);
}
