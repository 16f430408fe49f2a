/**
 * A program that speaks ACP and imitates observed behaviour of agents on request. With `resume` it can resume sessions; with
 * `version-2` it uses the draft of the next version; with `locked` it requires STANDIN_KEY; with `refuse` it fails to open a
 * session, with `refuse-once` only the first time; with `stubborn` it keeps its mode.
 */
import { createInterface } from "node:readline";

const parts = process.argv.slice(2);
const heard: string[] = [];
const waiting = new Map<number, (answer: Message) => void>();
let nextId = 0;
let refusals = 0;
let onCancel = () => {};

interface Message {
  id?: number;
  method?: string;
  params?: { prompt?: { text?: string }[]; sessionId?: string; modeId?: string };
  result?: { outcome?: { outcome: string; optionId?: string }; action?: string; content?: unknown };
  error?: { code: number };
}

const write = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const update = (body: object) => write({ method: "session/update", params: { sessionId: "standin", update: body } });
const say = (text: string) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
const ask = (method: string, params: object) =>
  new Promise<Message>((resolve) => {
    const id = nextId++;
    waiting.set(id, resolve);
    write({ id, method, params: { sessionId: "standin", ...params } });
  });

const session = {
  sessionId: "standin",
  modes: {
    currentModeId: "normal",
    availableModes: ["normal", "architect"].map((id) => ({ id, name: id })),
  },
  models: {
    currentModelId: "small",
    availableModels: ["small", "large"].map((modelId) => ({ modelId, name: modelId })),
  },
};

const permission = () =>
  ask("session/request_permission", {
    toolCall: { toolCallId: `call-${nextId}`, title: "rm -rf build", kind: "execute", rawInput: { command: "rm" } },
    options: [
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ],
  });

const acts: Record<string, (id: number) => Promise<object> | object> = {
  hello() {
    say("hello");
    return { stopReason: "end_turn" };
  },
  async permission() {
    const { result } = await permission();
    say(`outcome ${result?.outcome?.optionId ?? result?.outcome?.outcome}`);
    return { stopReason: "end_turn" };
  },
  /** Ends only when the request is answered, even if it is interrupted. */
  async hang() {
    await permission();
    return { stopReason: "cancelled" };
  },
  forever: () => new Promise((resolve) => (onCancel = () => resolve({ stopReason: "cancelled" }))),
  deaf() {
    say("not listening");
    return new Promise(() => {});
  },
  async form() {
    const properties = { colour: { type: "string", title: "Colour", enum: ["red", "blue"] } };
    const { result } = await ask("elicitation/create", {
      mode: "form",
      message: "Well?",
      requestedSchema: { type: "object", properties },
    });
    say(JSON.stringify(result));
    return { stopReason: "end_turn" };
  },
  async odd() {
    const { error } = await ask("vendor/odd", {});
    say(`refused with ${error?.code}`);
    update({ sessionUpdate: "brand_new", secret: "kept" });
    return { stopReason: "end_turn" };
  },
  garbage() {
    for (let line = 0; line < 20_000; line++) process.stdout.write("no message at all\n");
    say("through the noise");
    return { stopReason: "end_turn" };
  },
  big() {
    say("x".repeat(10_000_000));
    return { stopReason: "end_turn" };
  },
  die: () => process.exit(3),
  /** Dies at rest, as soon as it has answered. */
  leave() {
    say("goodbye");
    setTimeout(() => process.exit(0));
    return { stopReason: "end_turn" };
  },
  recall() {
    say(heard.join("\n"));
    return { stopReason: "end_turn" };
  },
  internal: () => Promise.reject({ code: -32603, message: "Internal error", data: { details: "status 500" } }),
  status: () => Promise.reject({ code: 429, message: "slow down" }),
  words() {
    say("Error: 529 overloaded");
    return { stopReason: "end_turn" };
  },
  wordsAndError() {
    say("API Error: 401 bad key");
    return Promise.reject({ code: -32603, message: "Internal error: API Error: 401 bad key" });
  },
  nothing: () => ({ stopReason: "end_turn" }),
  mode: () => {
    say(session.modes.currentModeId);
    return { stopReason: "end_turn" };
  },
};

const answers: Record<string, (message: Message) => Promise<object> | object> = {
  initialize: () => ({
    protocolVersion: parts.includes("version-2") ? 2 : 1,
    agentCapabilities: { loadSession: parts.includes("resume") },
  }),
  "session/new"() {
    if (parts.includes("locked") && !process.env.STANDIN_KEY)
      return Promise.reject({ code: -32000, message: "Authentication required" });
    if (parts.includes("refuse") || (parts.includes("refuse-once") && ++refusals === 1))
      return Promise.reject({ code: -32603, message: "Internal error", data: { details: "database is locked" } });
    // Before its session is known to anybody.
    say("early bird");
    update({ sessionUpdate: "usage_update", used: 1, size: 10 });
    return session;
  },
  "session/load"() {
    say("an old story");
    return session;
  },
  "session/set_mode"({ params }) {
    if (parts.includes("stubborn")) return Promise.reject({ code: -32602, message: "no other mode now" });
    session.modes.currentModeId = params?.modeId ?? "";
    return {};
  },
  "session/prompt"({ id = 0, params }) {
    const text = params?.prompt?.[0]?.text ?? "";
    const act = acts[text.split(/\s/).at(-1) ?? ""];
    heard.push(text);
    return act ? act(id) : { stopReason: "refusal" };
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const message: Message = JSON.parse(line);
  const { id, method } = message;
  if (method === "session/cancel") return onCancel();
  if (id === undefined) return;
  if (method === undefined) {
    waiting.get(id)?.(message);
    return;
  }
  const answer = async () =>
    answers[method]?.(message) ?? Promise.reject({ code: -32601, message: `unexpected ${method}` });
  answer().then(
    (result) => write({ id, result }),
    (error) => write({ id, error }),
  );
});
