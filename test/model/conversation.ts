/**
 * The next steps of the script, given the conversation so far. The script is the last message of the user. The ids of the
 * tool calls since then encode the progress, so the server keeps no state.
 */

import { isContext, userEntries } from "./context.ts";
import type { Answer, Ending, Entry, Exchange, Output, Usage } from "./exchange.ts";
import { report } from "./report.ts";
import { parseScript, type Step } from "./script.ts";
import { resolveStep } from "./tools.ts";

/** Remembers which "once" failures have happened already. */
export type Memory = Set<string>;

/** Where a script goes on. Some steps take several calls one after the other: their phases. */
interface Position {
  step: number;
  phase: number;
}

export function answer(exchange: Exchange, memory: Memory): Answer {
  if (exchange.compacts) return complete(exchange, [text("Summary")]);
  if (exchange.tools.length === 0) return complete(exchange, [text("Side note")]);
  const entries = userEntries(exchange.entries);
  const last = entries.findLastIndex((entry) => entry.kind === "user" && !isContext(entry.text));
  const script = entries[last];
  if (script?.kind !== "user") return complete(exchange, [text("Ready.")]);
  const since = entries.slice(last + 1);
  if (isNotification(since)) return complete(exchange, [text("Noted.")]);
  const place = [exchange.session, last, script.text];
  const firstTime = (step: number) => remember(memory, JSON.stringify([...place, step]));
  return runSteps({ exchange, steps: parseScript(script.text), from: positionAfter(since), since, firstTime });
}

/** True if it is new. */
function remember(memory: Memory, key: string): boolean {
  if (memory.has(key)) return false;
  memory.add(key);
  return true;
}

/** News from the agent itself after the script has ended, such as "a background task has finished". */
function isNotification(since: readonly Entry[]): boolean {
  const news = since.at(-1);
  return news?.kind === "user" && since.findLast((entry) => entry.kind !== "user")?.kind === "assistant";
}

/** The furthest position that the ids of the calls made so far point to. */
function positionAfter(since: readonly Entry[]): Position {
  return since
    .flatMap((entry) => (entry.kind === "call" ? readCallId(entry.id) : []))
    .reduce(later, { step: 0, phase: 0 });
}

function later(a: Position, b: Position): Position {
  if (a.step !== b.step) return a.step > b.step ? a : b;
  return a.phase > b.phase ? a : b;
}

let calls = 0;

/** The id of a call says where the script goes on once its result is there. */
function callId(next: Position): string {
  calls += 1;
  return `call_s${next.step}n${next.phase}_${calls.toString(36)}${crypto.randomUUID().slice(0, 8)}`;
}

function readCallId(id: string): Position[] {
  const match = /_s(\d+)n(\d+)_/.exec(id);
  return match ? [{ step: Number(match[1]), phase: Number(match[2]) }] : [];
}

interface Run {
  exchange: Exchange;
  steps: Step[];
  from: Position;
  since: Entry[];
  /** True once per step and conversation. */
  firstTime(step: number): boolean;
}

function runSteps(run: Run): Answer {
  const { exchange, steps, from } = run;
  const outputs: Output[] = [];
  let usage: Usage | null = null;
  const end = (ending: Ending): Answer => ({ outputs, usage: usage ?? estimate(exchange, outputs), ending });
  for (const [index, step] of steps.entries()) {
    if (index < from.step) continue;
    if (step.kind === "usage") usage = { input: step.input, output: step.output, cached: step.cached };
    if (step.kind === "hang") return end({ type: "hang" });
    if (step.kind === "drop" && (step.always || run.firstTime(index))) return end({ type: "drop" });
    if (step.kind === "error" && (!step.once || run.firstTime(index))) return end(failure(step));
    const phase = index === from.step ? from.phase : 0;
    outputs.push(...callOutputs(run, step, { step: index, phase }), ...plainOutput(step, exchange));
    if (joinsNext(step, steps[index + 1])) continue;
    if (outputs.some((output) => output.type === "call")) return end({ type: "complete" });
  }
  if (outputs.length === 0) outputs.push(text("Done."));
  return end({ type: "complete" });
}

/** The calls of one phase, or first the search that makes the tool known, which leads back to the same phase. */
function callOutputs(run: Run, step: Step, at: Position): Output[] {
  const wanted = resolveStep(step, run.exchange)[at.phase] ?? [];
  const searched = run.since.some(
    (entry) => entry.kind === "call" && entry.name === "tool_search" && leadsTo(entry, at),
  );
  return wanted.map((call) => {
    if (call.type === "text") return text(call.text);
    const { name, namespace, input } = call;
    if (!call.search || searched)
      return { type: "call", id: callId({ ...at, phase: at.phase + 1 }), name, namespace, input };
    return { type: "call", id: callId(at), name: "tool_search", namespace: null, input: { query: call.search } };
  });
}

function leadsTo(call: { id: string }, at: Position): boolean {
  return readCallId(call.id).some((position) => position.step === at.step && position.phase === at.phase);
}

/** A run of parallel calls is resumed behind its last member: the ids of all of them come back together. */
function joinsNext(step: Step, next: Step | undefined): boolean {
  return step.kind === "tool" && step.parallel && next?.kind === "tool" && next.parallel;
}

function plainOutput(step: Step, exchange: Exchange): Output[] {
  if (step.kind === "say") return [text(step.text)];
  if (step.kind === "think") return [{ type: "think", text: step.text }];
  if (step.kind === "slow") return [{ type: "text", pieces: numbered(step.count), delayMs: step.delayMs }];
  if (step.kind === "long") return [text(filler(step.length))];
  const found = report(step, exchange);
  return found === null ? [] : [text(found)];
}

function failure(step: { status: number; type: string | null }): Ending {
  return {
    type: "failure",
    failure: { status: step.status, type: step.type, message: `Scripted failure with status ${step.status}` },
  };
}

/** Whole words, as models stream them. */
function text(content: string): Output {
  return { type: "text", pieces: content.match(/\s*\S{1,40}\s*$|\s*\S{1,40}|\s+/g) ?? [], delayMs: 0 };
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `word${index + 1} `);
}

function filler(length: number): string {
  const line = "The quick brown fox jumps over the lazy dog and runs on through the long text. ";
  return line.repeat(Math.ceil(length / line.length)).slice(0, length);
}

function complete(exchange: Exchange, outputs: Output[]): Answer {
  return { outputs, usage: estimate(exchange, outputs), ending: { type: "complete" } };
}

/** About four characters to a token, as a rule of thumb; never zero, since a real provider never reports zero. */
function estimate(exchange: Exchange, outputs: readonly Output[]): Usage {
  const tokens = (value: unknown) => Math.ceil(JSON.stringify(value).length / 4);
  return { input: tokens(exchange.entries), output: tokens(outputs), cached: 0 };
}
