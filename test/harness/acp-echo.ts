/** A minimal ACP agent that echoes its prompt, prefixed with GREETING. */
import { createInterface } from "node:readline";

const send = (message: object) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));

function answer(method: string, params: { sessionId?: string; prompt?: { text?: string }[] }): unknown {
  if (method === "initialize") return { protocolVersion: 1, agentCapabilities: { loadSession: true } };
  if (method === "session/new") return { sessionId: crypto.randomUUID() };
  if (method !== "session/prompt") return {};
  const text = `${process.env.GREETING}: ${params.prompt?.map((part) => part.text).join("")}`;
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
  send({ method: "session/update", params: { sessionId: params.sessionId, update } });
  return { stopReason: "end_turn" };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) send({ id, result: answer(method, params) });
}
