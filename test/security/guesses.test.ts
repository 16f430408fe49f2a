/** Guessing tokens: limited by address, without locking out those who are in. */
import { describe, expect, test } from "vitest";
import { TestClient } from "../harness/client.ts";
import { startTestDaemon } from "../harness/daemon.ts";
import { expectProblem } from "../harness/problem.ts";

async function guessUntilRefused(url: string): Promise<number> {
  for (let guess = 1; guess <= 100; guess += 1) {
    const { status } = await new TestClient(url, `guess-number-${guess}`).get("/v1/sessions");
    if (status === 429) return guess;
    expect(status).toBe(401);
  }
  throw new Error("a hundred guesses were answered");
}

describe("an address that has sent too many wrong tokens", () => {
  test("is rejected, with the time to wait, even if it then guesses right", async () => {
    const { url } = await startTestDaemon({ token: "a-short-token-00" });
    expect(await guessUntilRefused(url)).toBeLessThanOrEqual(40);
    const answer = await new TestClient(url, "a-short-token-00").get("/v1/sessions");
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
    expectProblem(answer, "too_many_requests", {
      detail: "too many requests: too many wrong tokens came from this address; wait 1 s and send the right one",
    });
  });

  test("does not keep out who was in before", async () => {
    const { url } = await startTestDaemon({ token: "a-short-token-00" });
    const client = new TestClient(url, "a-short-token-00");
    expect((await client.get("/v1/sessions")).status).toBe(200);
    await guessUntilRefused(url);
    expect((await client.get("/v1/sessions")).status).toBe(200);
  });

  test("does not keep out who has a token that cannot be guessed", async () => {
    const token = "a-token-of-more-than-32-characters-0";
    const { url } = await startTestDaemon({ token });
    await guessUntilRefused(url);
    expect((await new TestClient(url, token).get("/v1/sessions")).status).toBe(200);
  });
});
