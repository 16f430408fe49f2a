/** Somebody who works with the session of a slot, not alone, and not always sensibly. */
import { problemKind, type SoakClient } from "./client.ts";
import type { Ledger, SentMessage, SoakSession } from "./ledger.ts";
import type { Random } from "./random.ts";
import { answerRequests } from "./requests.ts";
import type { Slot } from "./slot.ts";

export interface UserContext {
  client: SoakClient;
  ledger: Ledger;
  random: Random;
}

type Act = (context: UserContext, slot: Slot, session: SoakSession) => Promise<void>;

const acts: Record<string, { weight: number; act: Act }> = {
  send: { weight: 40, act: send },
  stream: { weight: 12, act: stream },
  sendTwice: { weight: 8, act: sendTwice },
  wait: { weight: 25, act: wait },
  answer: { weight: 15, act: ({ client, random }, _slot, { id }) => answerRequests(client, id, random) },
  abort: { weight: 4, act: ({ client }, _slot, { id }) => told(client.ask("POST", `/v1/sessions/${id}/abort`)) },
  hang: { weight: 1, act: hang },
  cancel: { weight: 4, act: cancel },
  update: { weight: 3, act: update },
  look: { weight: 6, act: look },
  blunder: { weight: 5, act: blunder },
  terminate: {
    weight: 1,
    act: ({ client }, _slot, { id }) => told(client.ask("POST", `/v1/sessions/${id}/terminate`)),
  },
  remove: { weight: 1, act: remove },
};
const weights = Object.fromEntries(Object.entries(acts).map(([name, { weight }]) => [name, weight]));

export async function useSession(context: UserContext, slot: Slot, actions: number): Promise<void> {
  for (let count = 0; count < actions; count++) {
    const session = await slot.session();
    if (session) await acts[context.random.weighted(weights)]?.act(context, slot, session);
  }
}

async function told(answer: Promise<unknown>): Promise<void> {
  await answer;
}

let messages = 0;

function newMessage(session: SoakSession): SentMessage {
  messages += 1;
  const message: SentMessage = { token: `t${messages}t`, messageId: null, fate: "unknown" };
  session.messages.push(message);
  return message;
}

async function send({ client, ledger, random }: UserContext, slot: Slot, session: SoakSession): Promise<void> {
  const message = newMessage(session);
  const delivery = random.pick(["queue", "queue", "queue", "steer", "reject"]);
  const body = { message: slot.agent.message(random, message.token), delivery };
  settle(ledger, slot, session, message, await client.ask("POST", `/v1/sessions/${session.id}/messages`, body));
}

async function stream({ client, ledger, random }: UserContext, slot: Slot, session: SoakSession): Promise<void> {
  const message = newMessage(session);
  const body = { message: slot.agent.message(random, message.token) };
  const limits = { frames: random.between(1, 100), milliseconds: random.between(10, 3000) };
  const path = `/v1/sessions/${session.id}/messages/stream`;
  settle(ledger, slot, session, message, await client.stream(path, body, limits));
}

/** The same message twice under one key, as a client does that lost the connection; both at once, at times. */
async function sendTwice({ client, ledger, random }: UserContext, slot: Slot, session: SoakSession): Promise<void> {
  const message = newMessage(session);
  const body = { message: slot.agent.message(random, message.token) };
  const post = () =>
    client.ask("POST", `/v1/sessions/${session.id}/messages`, body, { "idempotency-key": message.token });
  const first = post();
  if (random.chance(0.5)) await first;
  for (const answer of await Promise.all([first, post()])) settle(ledger, slot, session, message, answer);
}

/** Remembers what the sender was told. What was once accepted stays so. */
function settle(
  ledger: Ledger,
  slot: Slot,
  session: SoakSession,
  message: SentMessage,
  answer: Awaited<ReturnType<SoakClient["ask"]>>,
): void {
  if (!answer || message.fate === "accepted") return;
  if (answer.status < 300) {
    ledger.count("messages accepted");
    message.fate = "accepted";
    message.messageId = answer.headers.get("x-message-id");
    return;
  }
  const kind = problemKind(answer) ?? "";
  ledger.count(`messages refused: ${kind}`);
  message.fate = "refused";
  if (kind !== "conflict" && kind !== "storage_unavailable") slot.leave(session);
}

async function hang({ client, ledger }: UserContext, slot: Slot, session: SoakSession): Promise<void> {
  const message = newMessage(session);
  session.hangs = true;
  const body = { message: slot.agent.hang(message.token) };
  settle(ledger, slot, session, message, await client.ask("POST", `/v1/sessions/${session.id}/messages`, body));
}

async function wait({ client, random }: UserContext, _slot: Slot, { id }: SoakSession): Promise<void> {
  const until = random.pick(["idle", "idle,request,ended", "request"]);
  await client.ask("GET", `/v1/sessions/${id}/wait?until=${until}&timeout_ms=${random.between(1, 2000)}`);
}

/** Takes back the last message in the queue, if it is still there. */
async function cancel({ client }: UserContext, _slot: Slot, { id }: SoakSession): Promise<void> {
  const answer = await client.ask("GET", `/v1/sessions/${id}`);
  if (answer?.status !== 200) return;
  const queue: { messageId: string }[] = answer.json.queue;
  const last = queue.at(-1);
  if (last) await client.ask("DELETE", `/v1/sessions/${id}/messages/${last.messageId}`);
}

async function update({ client, random }: UserContext, _slot: Slot, { id }: SoakSession): Promise<void> {
  await client.ask("PATCH", `/v1/sessions/${id}`, { title: `title ${random.between(1, 1000)}` });
}

async function look({ client, random }: UserContext, _slot: Slot, { id }: SoakSession): Promise<void> {
  const own = ["", "/transcript", "/events?limit=50&include_raw=true", "/requests"].map(
    (rest) => `/v1/sessions/${id}${rest}`,
  );
  await client.ask("GET", random.pick([...own, "/v1/sessions", "/v1/health", "/v1/agents"]));
}

/** What no client should send. The daemon says so, and nothing else happens. */
async function blunder({ client, ledger, random }: UserContext, _slot: Slot, { id }: SoakSession): Promise<void> {
  const path = `/v1/sessions/${id}`;
  const [method, where, body]: [string, string, unknown] = random.pick([
    ["POST", `${path}/messages`, "{ not json"],
    ["POST", `${path}/messages`, { message: " " }],
    ["POST", `${path}/messages`, { message: "x", delivery: "pigeon" }],
    ["POST", `${path}/messages`, { message: ["x"] }],
    ["POST", `${path}/permissions/none/reply`, { reply: "once" }],
    ["POST", `${path}/questions/none/reply`, { answers: "yes" }],
    ["POST", path, { agent: "nobody" }],
    ["PATCH", path, {}],
    ["GET", `${path}/events?offset=-1`, undefined],
    ["GET", "/v1/sessions/no-such-session", undefined],
    ["GET", "/v1/nothing-here", undefined],
    ["DELETE", `${path}/messages/none`, undefined],
  ]);
  const answer = await client.ask(method, where, body);
  const isRefused = answer === null || (answer.status >= 400 && answer.status < 500);
  if (!isRefused && answer.status !== 503)
    ledger.violate("bad-input", `${method} ${where} ${JSON.stringify(body)} answered ${answer.status}`);
}

async function remove({ client, ledger }: UserContext, slot: Slot, session: SoakSession): Promise<void> {
  slot.leave(session);
  await deleteSession(client, ledger, session);
}

export async function deleteSession(client: SoakClient, ledger: Ledger, session: SoakSession): Promise<void> {
  if (session.deletion === "none") session.deletion = "asked";
  const answer = await client.ask("DELETE", `/v1/sessions/${session.id}`);
  if (answer?.status !== 204 && answer?.status !== 404) return;
  ledger.count("deletions");
  session.deletion = "done";
}
