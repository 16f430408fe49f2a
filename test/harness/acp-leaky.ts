/**
 * An ACP agent that repeats the text of its prompt: `whole <text>`, `split <n> <text>` in pieces of n characters, `tool <text>` as
 * input and output of a tool, `env` its variables as JSON, `exit <text>` on standard error before it exits. With FAIL_START it
 * writes that to standard error instead of starting.
 */
import { createInterface } from "node:readline";

const send = (message: object) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));

if (process.env.FAIL_START) {
  console.error(`cannot start with ${process.env.FAIL_START}`);
  process.exit(1);
}

function onPrompt(sessionId: string | undefined, prompt: string): void {
  const [, command = "", argument = ""] = prompt.match(/^(\w+) ?([\s\S]*)$/) ?? [];
  const update = (content: object) => send({ method: "session/update", params: { sessionId, update: content } });
  const emit = (text: string) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  const [, length = "1", text = ""] = argument.match(/^(\d+) ([\s\S]*)$/) ?? [];
  switch (command) {
    case "whole":
      return emit(argument);
    case "split":
      for (const piece of text.match(new RegExp(`[^]{1,${length}}`, "g")) ?? []) emit(piece);
      return;
    case "tool": {
      const call = { toolCallId: "call-1", title: `run ${argument}`, kind: "execute", rawInput: { command: argument } };
      update({ sessionUpdate: "tool_call", status: "pending", ...call });
      const content = [{ type: "content", content: { type: "text", text: `output: ${argument}` } }];
      const rawOutput = { output: argument, [argument]: true };
      return update({ sessionUpdate: "tool_call_update", ...call, status: "completed", content, rawOutput });
    }
    case "env":
      return emit(JSON.stringify(process.env));
    case "exit":
      emit("goodbye");
      console.error(`fatal: ${argument}`);
      process.exit(3);
  }
}

function answer(method: string, params: { sessionId?: string; prompt?: { text?: string }[] }): unknown {
  if (method === "initialize") return { protocolVersion: 1, agentCapabilities: { loadSession: true } };
  if (method === "session/new") return { sessionId: crypto.randomUUID() };
  if (method !== "session/prompt") return {};
  onPrompt(params.sessionId, params.prompt?.map((part) => part.text).join("") ?? "");
  return { stopReason: "end_turn" };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) send({ id, result: answer(method, params) });
}
