/** Parses and validates option values. An invalid value is a usage error that names its option. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import { reasonOf } from "./failure.ts";
import { isLoopback } from "./loopback.ts";

export function wholeNumber(minimum = 0, maximum = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    const range = maximum === Number.MAX_SAFE_INTEGER ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
    throw new InvalidArgumentError(`It must be a whole number ${range}.`);
  };
}

export const port = wholeNumber(0, 65535);

/** Collects the values of an option that may be repeated. */
export function repeated(value: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), value];
}

export function repeatedPath(value: string, earlier: string[] | undefined): string[] {
  return repeated(resolve(value), earlier);
}

/** Collects NAME=VALUE pairs of an option that may be repeated. */
export function repeatedPair(text: string, earlier: Record<string, string> | undefined): Record<string, string> {
  const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError("It must have the form NAME=VALUE.");
  return { ...earlier, [name]: value };
}

/** PROVIDER=VARIABLE pairs. Keys are read from the environment, because every process can read a command line. */
export function repeatedSecret(text: string, earlier: Record<string, string> | undefined): Record<string, string> {
  const [[provider = "", variable = ""] = []] = Object.entries(repeatedPair(text, undefined));
  const value = process.env[variable];
  if (!value) throw new InvalidArgumentError(`The environment variable ${variable} is not set.`);
  return { ...earlier, [provider]: value };
}

export function path(value: string): string {
  return resolve(value);
}

export function endpoint(text: string): string {
  const protocol = URL.parse(text)?.protocol;
  if (protocol !== "http:" && protocol !== "https:")
    throw new InvalidArgumentError("It must be an http:// or https:// URL.");
  return text.replace(/\/+$/, "");
}

/** Keys from plain http could be forged; only this machine is trusted without TLS. */
export function jwksUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname))) return text;
  throw new InvalidArgumentError("It must be an https:// URL.");
}

interface Schema<Value> {
  safeParse(input: unknown): { success: true; data: Value } | { success: false; error: { issues: Issue[] } };
}
interface Issue {
  path: PropertyKey[];
  message: string;
}

/** JSON on the command line, validated by a schema. */
export function json<Value>(schema: Schema<Value>): (text: string) => Value {
  return (text) => check(schema, parse(text));
}

/** JSON in a file, validated by a schema. */
export function jsonFile<Value>(schema: Schema<Value>): (file: string) => Value {
  return (file) => check(schema, parse(read(file)));
}

function check<Value>(schema: Schema<Value>, input: unknown): Value {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const issues = result.error.issues.map(({ path, message }) => [path.map(String).join("."), message].filter(Boolean));
  throw new InvalidArgumentError(issues.map((issue) => issue.join(": ")).join("; "));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidArgumentError(`It is not JSON: ${reasonOf(error)}.`);
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new InvalidArgumentError(`It cannot be read: ${reasonOf(error)}.`);
  }
}
