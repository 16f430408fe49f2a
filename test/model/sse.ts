/** Server-sent events as the providers send them, and the two ways in which a stream fails to end. */
import type { Answer, Output } from "./exchange.ts";

export interface SseEvent {
  /** The `event:` line; Chat Completions has none. */
  name: string | null;
  data: unknown;
}

export type Pause = { waitMs: number };

/** The parts of a protocol that streaming needs. */
export interface Dialect {
  start(): SseEvent[];
  /** An output up to its last delta. */
  open(output: Output, index: number): Iterable<SseEvent | Pause>;
  /** The events that complete an output. */
  close(output: Output, index: number): SseEvent[];
  finish(): SseEvent[];
  fail(): SseEvent[];
}

const encoder = new TextEncoder();

/** Streams an answer: its outputs, then its ending. `closed` is resolved when the server stops. */
export function streamAnswer(answer: Answer, dialect: Dialect, closed: Promise<void>): Response {
  let cancel: () => void = () => {};
  const cancelled = new Promise<void>((resolve) => (cancel = resolve));
  const events = play(answer, dialect, Promise.race([cancelled, closed]));
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await events.next();
        if (next.done) controller.close();
        else controller.enqueue(encoder.encode(format(next.value)));
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
  const headers = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
  return new Response(stream, { headers });
}

/** The events of an answer. Ends early when the reader or the server goes away; throws to cut the connection. */
async function* play(answer: Answer, dialect: Dialect, stopped: Promise<void>): AsyncGenerator<SseEvent> {
  const { ending, outputs } = answer;
  yield* dialect.start();
  for (const [index, output] of outputs.entries()) {
    for (const event of dialect.open(output, index)) {
      if (!("waitMs" in event)) yield event;
      else if (await stoppedWithin(event.waitMs, stopped)) return;
    }
    const isCut = ending.type === "drop" && index === outputs.length - 1;
    if (!isCut) yield* dialect.close(output, index);
  }
  if (ending.type === "hang") return stopped;
  if (ending.type === "drop") return cut(stopped);
  yield* ending.type === "failure" ? dialect.fail() : dialect.finish();
}

/** HTTP clients forget what they have not read yet when the connection is reset, so the cut gives them time to read. */
async function cut(stopped: Promise<void>): Promise<void> {
  if (await stoppedWithin(100, stopped)) return;
  throw new Error("Scripted cut of the connection");
}

function stoppedWithin(ms: number, stopped: Promise<void>): Promise<boolean> {
  return Promise.race([Bun.sleep(ms).then(() => false), stopped.then(() => true)]);
}

function format(event: SseEvent): string {
  const data = typeof event.data === "string" ? event.data : JSON.stringify(event.data);
  return `${event.name ? `event: ${event.name}\n` : ""}data: ${data}\n\n`;
}

/** The pieces of a text output with the pauses between them. */
export function* paced<T>(
  output: Extract<Output, { type: "text" }>,
  event: (piece: string) => T,
): Generator<T | Pause, void> {
  for (const piece of output.pieces) {
    if (output.delayMs > 0) yield { waitMs: output.delayMs };
    yield event(piece);
  }
}

/** A tool's arguments arrive in slices that do not respect JSON boundaries. */
export function slices(text: string): string[] {
  return text.match(/[\s\S]{1,24}/gu) ?? [];
}
