/**
 * An ACP agent for both daemons: it says as much as it is told to, as fast as it is told to.
 * Each of its messages is a write of its own, as agents do. A prompt is `burst <count>`, or `pace <count> <events per second>`; of the latter each text is the time it was made at.
 */
import { writeSync } from "node:fs";
import { preciseTime } from "./clock.ts";

interface Request {
  id?: number | string;
  method?: string;
  params?: { sessionId?: string; prompt?: { text?: string }[] };
}

const answers: Record<string, unknown> = {
  initialize: {
    protocolVersion: 1,
    agentCapabilities: {},
    authMethods: [],
    agentInfo: { name: "scripted", version: "1" },
  },
  "session/new": { sessionId: "scripted" },
};
/** Texts as long as those of a model's deltas. */
const burstText = "word ";

let rest = "";
const decoder = new TextDecoder();
for await (const chunk of Bun.stdin.stream()) {
  const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) void answer(JSON.parse(line));
}

async function answer({ id, method = "", params }: Request): Promise<void> {
  if (id === undefined) return;
  if (method !== "session/prompt")
    return write(`${JSON.stringify({ jsonrpc: "2.0", id, result: answers[method] ?? {} })}\n`);
  const [word, count = "1", rate = "1"] = (params?.prompt?.map(({ text }) => text).join("") ?? "").split(" ");
  if (word === "pace") await pace(Number(count), 1000 / Number(rate));
  else burst(word === "burst" ? Number(count) : 1);
  write(`${JSON.stringify({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } })}\n`);
}

function burst(count: number): void {
  const line = Buffer.from(delta(burstText));
  for (let left = count; left > 0; left--) write(line);
}

async function pace(count: number, intervalMs: number): Promise<void> {
  const begin = performance.now();
  for (let index = 0; index < count; index++) {
    const wait = begin + (index + 1) * intervalMs - performance.now();
    if (wait > 0) await Bun.sleep(wait);
    write(delta(String(preciseTime())));
  }
}

function delta(text: string): string {
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
  return `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "scripted", update } })}\n`;
}

/** Waits while the pipe is full. */
function write(text: string | Buffer): void {
  let bytes = typeof text === "string" ? Buffer.from(text) : text;
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      Bun.sleepSync(0.2);
    }
  }
}
