/** The questions of a question request and the answers to them, read from its metadata. */
import * as z from "zod";
import type { QuestionData } from "./event.ts";
import { type Infer, lazy } from "./lazy.ts";

export const QuestionPart = lazy(() =>
  z.object({
    question: z.string(),
    header: z.string().nullish(),
    options: z.array(z.object({ label: z.string(), description: z.string().nullish() })).default([]),
    multiSelect: z.boolean().default(false),
    /** Whether free text is accepted as an answer; missing means yes. */
    custom: z.boolean().optional(),
  }),
);
export type QuestionPart = Infer<typeof QuestionPart>;

const Questions = lazy(() => z.array(QuestionPart()).min(1));

/** The questions behind one request; a reply has one list of answers for each. */
export function questionsOf({ prompt, options, metadata }: QuestionData): QuestionPart[] {
  const several = Questions().safeParse(metadata?.questions);
  if (several.success) return several.data;
  return [{ question: prompt, options: options.map((label) => ({ label })), multiSelect: false, custom: false }];
}

const Answers = lazy(() => z.array(z.array(z.string())));

/** The answers to the questions of one request, in their order; null when it was not answered. */
export function answersOf({ status, response, metadata }: QuestionData): string[][] | null {
  if (status !== "answered") return null;
  const several = Answers().safeParse(metadata?.answers);
  if (several.success) return several.data;
  return [response === null ? [] : [response]];
}
