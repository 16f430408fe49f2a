/** Bodies over 32 MiB are rejected, by their Content-Length or while reading. */
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { TestClient } from "../harness/client.ts";
import { startTestClient } from "../harness/daemon.ts";
import { expectProblem } from "../harness/problem.ts";

const limit = 32 * 1024 * 1024;
const mebibyte = new Uint8Array(1024 * 1024).fill(" ".charCodeAt(0));
const tooLarge = {
  detail: `payload too large: the body is larger than ${limit} bytes`,
  details: { limit },
};

/** A create request for session `a` padded with spaces to this many bytes. */
function padded(bytes: number): string {
  return '{"agent":"mock"}'.padEnd(bytes, " ");
}

/** A body sent in chunks, without a Content-Length. */
function chunked(mebibytes: number): ReadableStream {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent++ < mebibytes) return controller.enqueue(mebibyte);
      controller.close();
    },
  });
}

/** The status line of the answer to a request whose body never arrives. */
function statusOfAnnounced({ url }: TestClient, length: number): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      const head = ["POST /v1/sessions/a HTTP/1.1", `host: ${hostname}`, "content-type: application/json"];
      socket.write(`${[...head, `content-length: ${length}`].join("\r\n")}\r\n\r\n{`);
    });
    socket.once("data", (data) => {
      resolve(data.toString().split("\r\n", 1)[0] ?? "");
      socket.destroy();
    });
    socket.once("error", reject);
  });
}

describe("a body that is too large", () => {
  test("is a problem when its length is announced", async () => {
    const client = await startTestClient();
    expectProblem(await client.post("/v1/sessions/a", padded(limit + 1)), "payload_too_large", tooLarge);
  });

  test("is rejected by its Content-Length alone", async () => {
    const client = await startTestClient();
    expect(await statusOfAnnounced(client, limit + 1)).toContain("413");
  });

  test("is a problem when its length shows only while it arrives", async () => {
    const client = await startTestClient();
    expectProblem(await client.post("/v1/sessions/a", chunked(33)), "payload_too_large", tooLarge);
  });

  test("creates nothing", async () => {
    const client = await startTestClient();
    await client.post("/v1/sessions/a", chunked(33));
    const { json } = await client.get("/v1/sessions");
    expect(json.sessions).toEqual([]);
  });

  test("is rejected also where a body is optional", async () => {
    const client = await startTestClient();
    expectProblem(await client.post("/v1/agents/mock/install", padded(limit + 1)), "payload_too_large", tooLarge);
  });
});

test("a body of exactly the limit is taken", async () => {
  const client = await startTestClient();
  const answer = await client.post("/v1/sessions/a", padded(limit));
  expect(answer.status).toBe(200);
});

test("a chunked body below the limit is taken", async () => {
  const client = await startTestClient();
  const body = new ReadableStream({
    start(controller) {
      for (const piece of ['{"agent"', ':"mo', 'ck"}']) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  const answer = await client.post("/v1/sessions/a", body);
  expect(answer.status).toBe(200);
});
