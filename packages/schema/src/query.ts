/** Query values: text on the wire, typed after parsing. `meta.query` is their schema in the OpenAPI document. */
import * as z from "zod";
import { lazy } from "./lazy.ts";

export const integerQuery = lazy(() =>
  z
    .string()
    .regex(/^\d{1,15}$/, "must be a whole number")
    .transform(Number)
    .meta({ query: { type: "integer", minimum: 0 } }),
);

export const positiveQuery = lazy(() =>
  z
    .string()
    .regex(/^[1-9]\d{0,14}$/, "must be a whole number above 0")
    .transform(Number)
    .meta({ query: { type: "integer", minimum: 1 } }),
);

export const booleanQuery = lazy(() =>
  z
    .enum(["true", "false", "1", "0"])
    .transform((text) => text === "true" || text === "1")
    .meta({ query: { type: "boolean" } }),
);

/** One or several values of an enum, separated by commas. */
export function listQuery<T extends z.ZodType<string, string>>(word: T) {
  return z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(word).min(1));
}
