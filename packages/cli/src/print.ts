/** Everything the program writes goes through here. */
import type { ProblemError, Success } from "@sandbox-agent/schema";
import { Failure, reasonOf } from "./failure.ts";
import { formatTable, type Table } from "./table.ts";

/** Nobody reads our output any more (`… | head`), so there is no point in going on. */
export class OutputClosed extends Error {}

// Every write learns of its own failure; without a listener the process would end on this event instead.
process.stdout.on("error", () => {});

/** How people see a value at a terminal, unless they ask for JSON. Programs always get JSON. */
export interface View {
  table(value: unknown): Table;
  json: boolean;
}

export async function print(text: string): Promise<void> {
  await write(`${text}\n`);
}

/** For a program that goes on whether anybody reads this or not. */
export function announce(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printError(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stderr.write(`${text}\n`, () => resolve());
  });
}

/** A problem of this process looks like one that a daemon has answered. */
export function printProblem(problem: ProblemError): Promise<void> {
  return printError(JSON.stringify(problem.toProblem(), null, 2));
}

export async function printValue(value: unknown, view?: View): Promise<void> {
  if (view && !view.json && process.stdout.isTTY) return print(formatTable(view.table(value)));
  await print(JSON.stringify(value, null, 2));
}

/** Prints the answer to an operation according to its kind. */
export async function printAnswer(success: Success, response: Response, view?: View): Promise<void> {
  if (success.status === 204) return;
  if ("events" in success && isStream(response)) return copyStream(response);
  if ("text" in success) return print((await response.text()).trimEnd());
  await printValue(await response.json(), view);
}

function isStream({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") ?? false;
}

async function copyStream({ body }: Response): Promise<void> {
  if (body === null) return;
  try {
    for await (const chunk of body) await write(chunk);
  } catch (error) {
    if (error instanceof OutputClosed) throw error;
    throw new Failure(`the stream broke: ${reasonOf(error)}`);
  }
}

function write(chunk: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(chunk, (error) => (error ? reject(new OutputClosed()) : resolve()));
  });
}
