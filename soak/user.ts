/** A user of the session in a slot. Several users share a session, and some of their requests are invalid. */
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

type Action = (context: UserContext, slot: Slot, session: SoakSession) => Promise<void>;

const actions: Record<string, { weight: number; action: Action }> = {
  send: { weight: 40, action: send },
  stream: { weight: 12, action: stream },
  sendTwice: { weight: 8, action: sendTwice },
  wait: { weight: 25, action: wait },
  answer: { weight: 15, action: ({ client, random }, _slot, { id }) => answerRequests(client, id, random) },
  abort: {
    weight: 4,
    action: ({ client }, _slot, { id }) => ignoreAnswer(client.request("POST", `/v1/sessions/${id}/abort`)),
  },
  hang: { weight: 1, action: hang },
  cancel: { weight: 4, action: cancel },
  update: { weight: 3, action: update },
  read: { weight: 6, action: read },
  sendInvalid: { weight: 5, action: sendInvalid },
  terminate: {
    weight: 1,
    action: ({ client }, _slot, { id }) => ignoreAnswer(client.request("POST", `/v1/sessions/${id}/terminate`)),
  },
  remove: { weight: 1, action: remove },
};
const weights = Object.fromEntries(Object.entries(actions).map(([name, { weight }]) => [name, weight]));

export async function useSession(context: UserContext, slot: Slot, count: number): Promise<void> {
  for (let done = 0; done < count; done++) {
    const session = await slot.session();
    if (session) await actions[context.random.weighted(weights)]?.action(context, slot, session);
  }
}

async function ignoreAnswer(answer: Promise<unknown>): Promise<void> {
  await answer;
}

let messages = 0;

function newMessage(session: SoakSession): SentMessage {
  messages += 1;
  const message: SentMessage = { token: `t${messages}t`, messageId: null, outcome: "unknown" };
  session.messages.push(message);
  return message;
}

async function send({ client, ledger, random }: UserContext, slot: Slot, session: SoakSession): Promise<void> {
  const message = newMessage(session);
  const delivery = random.pick(["queue", "queue", "queue", "steer", "reject"]);
  const body = { message: slot.agent.message(random, message.token), delivery };
  settle(ledger, slot, session, message, await client.request("POST", `/v1/sessions/${session.id}/messages`, body));
}

async function stream({ client, ledger, random }: UserContext, slot: Slot, session: SoakSession): Promise<void> {
  const message = newMessage(session);
  const body = { message: slot.agent.message(random, message.token) };
  const limits = { frames: random.between(1, 100), milliseconds: random.between(10, 3000) };
  const path = `/v1/sessions/${session.id}/messages/stream`;
  settle(ledger, slot, session, message, await client.stream(path, body, limits));
}

/** Sends the same message twice with one idempotency key, as a client does after a lost connection; sometimes both at once. */
async function sendTwice({ client, ledger, random }: UserContext, slot: Slot, session: SoakSession): Promise<void> {
  const message = newMessage(session);
  const body = { message: slot.agent.message(random, message.token) };
  const post = () =>
    client.request("POST", `/v1/sessions/${session.id}/messages`, body, { "idempotency-key": message.token });
  const first = post();
  if (random.chance(0.5)) await first;
  for (const answer of await Promise.all([first, post()])) settle(ledger, slot, session, message, answer);
}

/** Records the outcome for the sender. A message that was accepted once stays accepted. */
function settle(
  ledger: Ledger,
  slot: Slot,
  session: SoakSession,
  message: SentMessage,
  answer: Awaited<ReturnType<SoakClient["request"]>>,
): void {
  if (!answer || message.outcome === "accepted") return;
  if (answer.status < 300) {
    ledger.count("messages accepted");
    message.outcome = "accepted";
    message.messageId = answer.headers.get("x-message-id");
    return;
  }
  const kind = problemKind(answer) ?? "";
  ledger.count(`messages refused: ${kind}`);
  message.outcome = "refused";
  if (kind !== "conflict" && kind !== "storage_unavailable") slot.release(session);
}

async function hang({ client, ledger }: UserContext, slot: Slot, session: SoakSession): Promise<void> {
  const message = newMessage(session);
  session.hangs = true;
  const body = { message: slot.agent.hang(message.token) };
  settle(ledger, slot, session, message, await client.request("POST", `/v1/sessions/${session.id}/messages`, body));
}

async function wait({ client, random }: UserContext, _slot: Slot, { id }: SoakSession): Promise<void> {
  const until = random.pick(["idle", "idle,request,ended", "request"]);
  await client.request("GET", `/v1/sessions/${id}/wait?until=${until}&timeout_ms=${random.between(1, 2000)}`);
}

/** Cancels the last message in the queue, if there is one. */
async function cancel({ client }: UserContext, _slot: Slot, { id }: SoakSession): Promise<void> {
  const answer = await client.request("GET", `/v1/sessions/${id}`);
  if (answer?.status !== 200) return;
  const queue: { messageId: string }[] = answer.json.queue;
  const last = queue.at(-1);
  if (last) await client.request("DELETE", `/v1/sessions/${id}/messages/${last.messageId}`);
}

async function update({ client, random }: UserContext, _slot: Slot, { id }: SoakSession): Promise<void> {
  await client.request("PATCH", `/v1/sessions/${id}`, { title: `title ${random.between(1, 1000)}` });
}

async function read({ client, random }: UserContext, _slot: Slot, { id }: SoakSession): Promise<void> {
  const own = ["", "/transcript", "/events?limit=50&include_raw=true", "/requests"].map(
    (rest) => `/v1/sessions/${id}${rest}`,
  );
  await client.request("GET", random.pick([...own, "/v1/sessions", "/v1/health", "/v1/agents"]));
}

/** Sends an invalid request. The daemon must refuse it with a 4xx status. */
async function sendInvalid({ client, ledger, random }: UserContext, _slot: Slot, { id }: SoakSession): Promise<void> {
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
  const answer = await client.request(method, where, body);
  const isRefused = answer === null || (answer.status >= 400 && answer.status < 500);
  if (!isRefused && answer.status !== 503)
    ledger.violate("bad-input", `${method} ${where} ${JSON.stringify(body)} was answered with ${answer.status}`);
}

async function remove({ client, ledger }: UserContext, slot: Slot, session: SoakSession): Promise<void> {
  slot.release(session);
  await deleteSession(client, ledger, session);
}

export async function deleteSession(client: SoakClient, ledger: Ledger, session: SoakSession): Promise<void> {
  if (session.deletion === "none") session.deletion = "requested";
  const answer = await client.request("DELETE", `/v1/sessions/${session.id}`);
  if (answer?.status !== 204 && answer?.status !== 404) return;
  ledger.count("deletions");
  session.deletion = "done";
}
