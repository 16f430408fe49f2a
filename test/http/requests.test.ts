/** Permissions and questions: what is open, and the answers. */
import { describe, expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { startTestClient } from "../harness/daemon.ts";
import { outline } from "../harness/outline.ts";
import { expectProblem, faults } from "../harness/problem.ts";

async function asked(command: string): Promise<{ client: TestClient; reached: number }> {
  const client = await startTestClient();
  await client.create("a");
  const reader = await client.open("/v1/sessions/a/events/sse");
  await client.send("a", command);
  const count = command.endsWith("1") ? 1 : 2;
  for (let index = 0; index < count; index++) await reader.until(({ type }) => type.endsWith(".requested"));
  const { json } = await client.get("/v1/sessions/a");
  return { client, reached: json.lastSequence };
}

function reply(client: TestClient, suffix: string, body: unknown) {
  return client.post(`/v1/sessions/a/permissions/mock_1_${suffix}/reply`, body);
}

function answer(client: TestClient, suffix: string, answers: unknown) {
  return client.post(`/v1/sessions/a/questions/mock_1_${suffix}/reply`, { answers });
}

describe("open requests", () => {
  test("are none in a new session", async () => {
    const client = await startTestClient();
    await client.create("a");
    const { json } = await client.get("/v1/sessions/a/requests");
    expect(json).toEqual({ permissions: [], questions: [] });
  });

  test("are the permissions the agent asked for", async () => {
    const { client } = await asked("permission");
    const { json } = await client.get("/v1/sessions/a/requests");
    expect(json).toEqual({
      permissions: [
        {
          permission_id: "mock_1_permission",
          action: "command_execution",
          status: "requested",
          metadata: { command: expect.any(String) },
        },
        {
          permission_id: "mock_1_permission_denied",
          action: "file_change",
          status: "requested",
          metadata: { path: expect.any(String) },
        },
      ],
      questions: [],
    });
  });

  test("are the questions the agent asked", async () => {
    const { client } = await asked("question");
    const { json } = await client.get("/v1/sessions/a/requests");
    expect(json).toEqual({
      permissions: [],
      questions: [
        {
          question_id: "mock_1_question",
          prompt: expect.any(String),
          options: ["Red", "Blue"],
          status: "requested",
          response: null,
        },
        {
          question_id: "mock_1_question_reject",
          prompt: expect.any(String),
          options: ["Yes", "No"],
          status: "requested",
          response: null,
        },
      ],
    });
  });

  test("are no longer those that were answered", async () => {
    const { client } = await asked("permission");
    await reply(client, "permission", { reply: "once" });
    const { json } = await client.get("/v1/sessions/a/requests");
    expect(json.permissions).toMatchObject([{ permission_id: "mock_1_permission_denied" }]);
  });

  test("make the session wait", async () => {
    const { client } = await asked("permission1");
    const { json } = await client.get("/v1/sessions/a");
    expect(json.status).toBe("waiting");
  });
});

describe("the reply to a permission", () => {
  test.each([
    ["once", "approved"],
    ["always", "approved"],
    ["reject", "denied"],
  ])("%s means %s", async (word, status) => {
    const { client, reached } = await asked("permission1");
    await reply(client, "permission", { reply: word });
    const [resolved] = await client.events("a", `?offset=${reached}&limit=1`);
    expect(resolved).toMatchObject({
      type: "permission.resolved",
      source: "daemon",
      synthetic: true,
      data: {
        permission_id: "mock_1_permission",
        action: "command_execution",
        status,
        metadata: { command: "ls -la", reply: word },
      },
    });
  });

  test("is answered without content", async () => {
    const { client } = await asked("permission1");
    const { status } = await reply(client, "permission", { reply: "once" });
    expect(status).toBe(204);
  });

  test("to the last one lets the turn go on to its end", async () => {
    const { client, reached } = await asked("permission");
    await reply(client, "permission_denied", { reply: "reject" });
    await reply(client, "permission", { reply: "once" });
    await client.wait("a");
    expect(outline(await client.events("a", `?offset=${reached}`))).toEqual([
      "permission.resolved mock_1_permission_denied denied",
      "permission.resolved mock_1_permission approved",
      "item.started message assistant in_progress mock_1_answered",
      "item.delta mock_1_answered",
      "item.completed message assistant completed mock_1_answered",
      "turn.ended completed",
    ]);
  });

  test.each([{ reply: "maybe" }, { reply: 1 }, {}])("cannot be %j", async (body) => {
    const { client } = await asked("permission1");
    expectProblem(await reply(client, "permission", body), "invalid_request", { details: faults("body", "reply") });
  });

  test("that is rejected leaves the permission open", async () => {
    const { client } = await asked("permission1");
    await reply(client, "permission", { reply: "maybe" });
    const { json } = await client.get("/v1/sessions/a/requests");
    expect(json.permissions).toHaveLength(1);
  });

  test("counts once when several arrive at the same time", async () => {
    const { client } = await asked("permission1");
    const replies = ["once", "reject", "always"].map((word) => reply(client, "permission", { reply: word }));
    const statuses = (await Promise.all(replies)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([204, 400, 400]);
  });
});

describe("the reply to a question", () => {
  test("is its answer", async () => {
    const { client, reached } = await asked("question1");
    await answer(client, "question", [["Blue"]]);
    const [resolved] = await client.events("a", `?offset=${reached}&limit=1`);
    expect(resolved).toMatchObject({
      type: "question.resolved",
      source: "daemon",
      synthetic: true,
      data: {
        question_id: "mock_1_question",
        options: ["Red", "Blue"],
        status: "answered",
        response: "Blue",
        metadata: { answers: [["Blue"]] },
      },
    });
  });

  test.each([
    ["the first of several", [["Blue", "Red"], ["Yes"]], "Blue"],
    ["a text of one's own", [["Green"]], "Green"],
    ["nothing at all", [], null],
  ])("may be %s", async (_, answers, response) => {
    const { client, reached } = await asked("question1");
    await answer(client, "question", answers);
    const [resolved] = await client.events("a", `?offset=${reached}&limit=1`);
    expect(resolved?.data).toMatchObject({ status: "answered", response, metadata: { answers } });
  });

  test("may be a rejection", async () => {
    const { client, reached } = await asked("question1");
    await client.post("/v1/sessions/a/questions/mock_1_question/reject");
    const [resolved] = await client.events("a", `?offset=${reached}&limit=1`);
    expect(resolved).toMatchObject({ type: "question.resolved", data: { status: "rejected", response: null } });
  });

  test("and a rejection are answered without content", async () => {
    const { client } = await asked("question");
    const answered = await answer(client, "question", [["Red"]]);
    const rejected = await client.post("/v1/sessions/a/questions/mock_1_question_reject/reject");
    expect([answered.status, rejected.status]).toEqual([204, 204]);
  });

  test("to the last one lets the turn go on to its end", async () => {
    const { client, reached } = await asked("question");
    await answer(client, "question", [["Red"]]);
    await client.post("/v1/sessions/a/questions/mock_1_question_reject/reject");
    await client.wait("a");
    expect(outline(await client.events("a", `?offset=${reached}`))).toEqual([
      "question.resolved mock_1_question answered",
      "question.resolved mock_1_question_reject rejected",
      "item.started message assistant in_progress mock_1_answered",
      "item.delta mock_1_answered",
      "item.completed message assistant completed mock_1_answered",
      "turn.ended completed",
    ]);
  });

  test.each([
    ["Red", "answers"],
    [["Red"], "answers.0"],
    [[[1]], "answers.0.0"],
    [undefined, "answers"],
  ])("cannot be %j", async (answers, at) => {
    const { client } = await asked("question1");
    expectProblem(await answer(client, "question", answers), "invalid_request", { details: faults("body", at) });
  });
});

describe("a request that is not open", () => {
  test.each([
    ["permission", "permissions/nobody/reply", { reply: "once" }],
    ["question", "questions/nobody/reply", { answers: [["Red"]] }],
    ["question", "questions/nobody/reject", undefined],
  ])("is a problem when it never was: %s at %s", async (kind, path, body) => {
    const client = await startTestClient();
    await client.create("a");
    expectProblem(await client.post(`/v1/sessions/a/${path}`, body), "invalid_request", {
      sessionId: "a",
      detail: `invalid request: no ${kind} nobody is open; it may already be answered`,
    });
  });

  test("is a problem when it was answered already", async () => {
    const { client } = await asked("permission");
    await reply(client, "permission", { reply: "once" });
    expectProblem(await reply(client, "permission", { reply: "once" }), "invalid_request", { sessionId: "a" });
  });

  test("is a problem when it belongs to another session", async () => {
    const { client } = await asked("permission1");
    await client.create("b");
    const other = await client.post("/v1/sessions/b/permissions/mock_1_permission/reply", { reply: "once" });
    expectProblem(other, "invalid_request", { sessionId: "b" });
  });

  test("is a problem when it is of the other kind", async () => {
    const { client } = await asked("question1");
    expectProblem(await reply(client, "question", { reply: "once" }), "invalid_request", { sessionId: "a" });
  });

  test("changes nothing", async () => {
    const { client } = await asked("permission1");
    const before = await client.events("a");
    await reply(client, "nobody", { reply: "once" });
    expect(await client.events("a")).toEqual(before);
  });
});

describe("requests that their turn did not wait for", () => {
  async function leftOpen(): Promise<{ client: TestClient; reached: number }> {
    const client = await startTestClient();
    await client.create("a");
    await client.send("a", "demo");
    const { json } = await client.wait("a");
    return { client, reached: json.session.lastSequence };
  }

  test("stay open after it", async () => {
    const { client } = await leftOpen();
    const { json } = await client.get("/v1/sessions/a/requests");
    expect([json.permissions.length, json.questions.length]).toEqual([2, 2]);
  });

  test("can be answered after it", async () => {
    const { client, reached } = await leftOpen();
    await reply(client, "permission", { reply: "once" });
    expect(outline(await client.events("a", `?offset=${reached}`))).toEqual([
      "permission.resolved mock_1_permission approved",
    ]);
  });

  test("are not aborted", async () => {
    const { client, reached } = await leftOpen();
    await client.post("/v1/sessions/a/abort");
    expect(await client.events("a", `?offset=${reached}`)).toEqual([]);
  });

  test("are denied and rejected when the next turn begins", async () => {
    const { client, reached } = await leftOpen();
    await client.send("a", "hello");
    expect(outline(await client.events("a", `?offset=${reached}&limit=5`))).toEqual([
      "permission.resolved mock_1_permission denied",
      "permission.resolved mock_1_permission_denied denied",
      "question.resolved mock_1_question rejected",
      "question.resolved mock_1_question_reject rejected",
      "turn.started",
    ]);
  });
});
