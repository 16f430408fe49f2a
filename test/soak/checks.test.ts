/** The checks of the soak test: a valid history passes, and each kind of violation is found. */
import { expect, test } from "vitest";
import { checkSession } from "../../soak/check/history.ts";
import { memoryGrowth } from "../../soak/check/leftovers.ts";
import { createClient, type SoakClient } from "../../soak/client.ts";
import { createLedger, type SentMessage, type SoakSession } from "../../soak/ledger.ts";
import { seededRandom } from "../../soak/random.ts";
import { digest, type Reader } from "../../soak/reader.ts";
import { TestClient } from "../harness/client.ts";
import { startTestDaemon } from "../harness/daemon.ts";

async function sessionWithOneMessage() {
  const { url } = await startTestDaemon();
  const test = new TestClient(url);
  await test.create("a");
  const { headers } = await test.send("a", "echo t1t");
  await test.wait("a");
  const ledger = createLedger(() => {});
  const daemon = {
    url,
    pid: 0,
    starts: 1,
    isUp: true,
    ready: async () => {},
    restart: async () => {},
    stop: async () => 0,
  };
  const sent: SentMessage = { token: "t1t", messageId: headers.get("x-message-id"), outcome: "accepted" };
  const session: SoakSession = { id: "a", agent: "mock", messages: [sent], deletion: "none", hangs: false };
  const digests = (await test.events("a")).map((event) => digest(JSON.stringify(event)));
  return { ledger, session, sent, digests, client: createClient(daemon, ledger, null) };
}

function readerOf(digests: readonly number[]): Reader {
  return { seen: () => digests, readSteadily() {}, readErratically() {}, stop() {} };
}

/** Changes the events that the client reads. */
function changing(client: SoakClient, change: <Event>(events: Event[]) => Event[]): SoakClient {
  return {
    ...client,
    async requestUntilAnswered(method, path, body) {
      const answer = await client.requestUntilAnswered(method, path, body);
      return { ...answer, json: { ...answer.json, events: change(answer.json.events) } };
    },
  };
}

test("a valid session passes", async () => {
  const { client, ledger, session, digests } = await sessionWithOneMessage();
  await checkSession(client, ledger, session, [readerOf(digests)]);
  expect(ledger.violations).toEqual([]);
  expect(ledger.counts.turns).toBe(1);
});

test("an accepted message without a turn is reported as lost", async () => {
  const { client, ledger, session, sent } = await sessionWithOneMessage();
  session.messages.push({ ...sent, token: "t2t", messageId: "msg_2" });
  await checkSession(client, ledger, session, []);
  expect(ledger.violations).toMatchObject([{ rule: "message-lost" }]);
});

test("a refused message with a turn is reported as doubled", async () => {
  const { client, ledger, session, sent } = await sessionWithOneMessage();
  sent.outcome = "refused";
  await checkSession(client, ledger, session, []);
  expect(ledger.violations).toMatchObject([{ rule: "message-doubled" }]);
});

test("a missing event is reported", async () => {
  const { client, ledger, session } = await sessionWithOneMessage();
  await checkSession(
    changing(client, (events) => events.toSpliced(5, 1)),
    ledger,
    session,
    [],
  );
  expect(ledger.violations.map(({ rule }) => rule)).toContain("history: sequence");
});

test("a reader that received a different event is reported", async () => {
  const { client, ledger, session, digests } = await sessionWithOneMessage();
  await checkSession(client, ledger, session, [readerOf(digests.with(3, 0))]);
  expect(ledger.violations).toMatchObject([{ rule: "reader", message: expect.stringContaining("sequence 4") }]);
});

test("memory growth compares the medians of the first and the last third", () => {
  expect(memoryGrowth([1, 2])).toBeNull();
  expect(memoryGrowth([100, 101, 900, 5, 5, 5, 200, 201, 1])).toEqual({ first: 101, last: 200 });
});

test("the same seed and name make the same choices", () => {
  const choices = (seed: number) => {
    const random = seededRandom(seed, "somebody");
    return Array.from({ length: 20 }, () => random.weighted({ a: 1, b: 2, c: 3 }) + random.between(1, 9));
  };
  expect(choices(1)).toEqual(choices(1));
  expect(choices(1)).not.toEqual(choices(2));
});
