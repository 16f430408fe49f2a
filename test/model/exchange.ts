/**
 * What the three provider protocols have in common: a request read as a flat list of entries plus the tools on offer,
 * and an answer made of text, reasoning and tool calls. Each protocol file translates to and from these types.
 */
import type { ToolInput } from "./script.ts";

/** One piece of the conversation, in the order of the request, whatever message it was packed in. */
export type Entry =
  | { kind: "user"; text: string }
  | { kind: "image"; mediaType: string; bytes: number }
  | { kind: "assistant"; text: string }
  | { kind: "call"; id: string; name: string }
  | { kind: "result"; id: string; text: string };

export interface OfferedTool {
  name: string;
  /** The namespace a tool is packed in (Responses only). */
  namespace: string | null;
  /**
   * How it is called: with a JSON object, with plain text, from inside the code that the tool `exec` runs, or, for the
   * search that brings up tools not listed yet, with a kind of call of its own.
   */
  form: "function" | "freeform" | "code" | "search";
}

export interface Exchange {
  model: string;
  /** Distinguishes conversations with the same content; agents send it as a header. */
  session: string;
  entries: Entry[];
  tools: OfferedTool[];
  /** Standing instructions; some agents put there what a tool call needs, such as the path of the plan file. */
  instructions: string;
  /** The agent wants the conversation packed up, not answered (Responses only). */
  compacts: boolean;
}

export type Output =
  | { type: "text"; pieces: string[]; delayMs: number }
  | { type: "think"; text: string }
  | { type: "call"; id: string; name: string; namespace: string | null; input: ToolInput };

export interface Usage {
  input: number;
  output: number;
  cached: number;
}

/** An error of a provider, before it is converted to the protocol's format. */
export interface Failure {
  status: number;
  /** The provider's own error type or code, where the script names one. */
  type: string | null;
  message: string;
}

export type Ending = { type: "complete" } | { type: "drop" } | { type: "hang" } | { type: "failure"; failure: Failure };

export interface Answer {
  outputs: Output[];
  usage: Usage;
  ending: Ending;
}

/** Thrown for requests that a provider would reject. */
export class Refusal extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

export function refuse(status: number, message: string, type: string | null = null): never {
  throw new Refusal({ status, type, message });
}
