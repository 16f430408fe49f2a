/** JSON of other programs, which may be missing, invalid or of an unexpected shape. */
import { readFileSync } from "node:fs";

/** Undefined when there is no such file or it is not JSON. */
export function readJson(file: string): unknown {
  try {
    return parseJson(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** Undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is a JSON object; otherwise an empty object. */
export function members(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** The value at a path of member names. */
export function valueAt(value: unknown, ...path: string[]): unknown {
  return path.reduce((inner, name) => members(inner)[name], value);
}

/** The same, if it is a string. */
export function stringAt(value: unknown, ...path: string[]): string | null {
  const found = valueAt(value, ...path);
  return typeof found === "string" ? found : null;
}

/** The same, trimmed, if it is not empty. */
export function textAt(value: unknown, ...path: string[]): string | null {
  return stringAt(value, ...path)?.trim() || null;
}

/** Whether a time, in milliseconds or as a date, is in the past. False for anything that is not a time. */
export function isPast(time: unknown): boolean {
  const milliseconds = typeof time === "string" ? Date.parse(time) : time;
  return typeof milliseconds === "number" && milliseconds < Date.now();
}
