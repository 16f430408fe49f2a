import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ModelServer, startModelServer } from "./server.ts";

let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model.close());

const tools = [{ functionDeclarations: [{ name: "run_shell_command" }] }];
const said = (text: string) => ({ role: "user", parts: [{ text }] });
const call = { role: "model", parts: [{ functionCall: { id: "call_s0n1_x", name: "run_shell_command", args: {} } }] };
const result = {
  role: "user",
  parts: [{ functionResponse: { id: "call_s0n1_x", name: "run_shell_command", response: { output: "x" } } }],
};

async function generate(contents: unknown[], { method = "generateContent", key = "test-key" } = {}) {
  const answer = await fetch(`${model.url}/v1beta/models/gemini-2.5-pro:${method}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key && { "x-goog-api-key": key }) },
    body: JSON.stringify({ contents, tools }),
  });
  return { status: answer.status, text: await answer.text() };
}

describe("answers", () => {
  test("sends the text of the script", async () => {
    const { text } = await generate([said("[[say hello there]]")]);
    expect(JSON.parse(text)).toMatchObject({
      candidates: [{ content: { role: "model", parts: [{ text: "hello there" }] }, finishReason: "STOP" }],
      usageMetadata: { candidatesTokenCount: expect.any(Number) },
    });
  });

  test("streams, and marks thoughts", async () => {
    const { text } = await generate([said("[[think well]] [[say one two]]")], { method: "streamGenerateContent" });
    const chunks = text.split("\n\n").flatMap((event) => (event ? [JSON.parse(event.slice("data: ".length))] : []));
    const parts = chunks.flatMap(({ candidates }) => candidates[0].content.parts);
    expect(parts).toEqual([{ text: "well", thought: true }, { text: "one" }, { text: " two" }, { text: "" }]);
  });

  test("calls a tool, and goes on after its result", async () => {
    const script = said("[[sh ls]] [[say done]]");
    expect((await generate([script])).text).toContain('"args":{"command":"ls"');
    expect((await generate([script, call, result])).text).toContain('"text":"done"');
  });

  test("counts tokens", async () => {
    expect((await generate([said("hello")], { method: "countTokens" })).text).toMatch(/^\{"totalTokens":\d+\}$/);
  });
});

describe("rejects", () => {
  test.each([
    ["no key", [said("hi")], "", 403, "PERMISSION_DENIED"],
    ["a wrong key", [said("hi")], "bad-key", 400, "API_KEY_INVALID"],
    ["nothing said", [], "test-key", 400, "INVALID_ARGUMENT"],
    ["a call without its result", [said("hi"), call, said("go on")], "test-key", 400, "number of function response"],
    ["a result without its call", [said("hi"), result], "test-key", 400, "number of function response"],
    ["what the script wants refused", [said("[[error 503]]")], "test-key", 503, "UNAVAILABLE"],
  ])("%s", async (_, contents, key, status, words) => {
    const answer = await generate(contents, { key });
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(words);
  });
});
