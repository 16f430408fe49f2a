/** All output of the program. */
import type { ProblemError, Success } from "@sandbox-agent/schema";
import { Failure, reasonOf } from "./failure.ts";
import { formatTable, type Table } from "./table.ts";

/** Standard output was closed (`… | head`), so the program stops. */
export class OutputClosed extends Error {}

// Each write handles its own error; without a listener this event would end the process.
process.stdout.on("error", () => {});

/** How a value is shown in a terminal. Without a terminal, or with `json`, JSON is printed. */
export interface View {
  table(value: unknown): Table;
  json: boolean;
}

export async function print(text: string): Promise<void> {
  await write(`${text}\n`);
}

/** Prints without waiting and ignores errors. */
export function printNow(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printError(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stderr.write(`${text}\n`, () => resolve());
  });
}

/** Prints a problem of this process in the same form as a problem from a daemon. */
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
  if ("bytes" in success || ("events" in success && isStream(response))) return copyStream(response);
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
    throw new Failure(`the stream was interrupted: ${reasonOf(error)}`);
  }
}

function write(chunk: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(chunk, (error) => (error ? reject(new OutputClosed()) : resolve()));
  });
}
