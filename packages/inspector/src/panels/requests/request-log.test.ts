import { describe, expect, test } from "vitest";
import { createRequestLog } from "./request-log.ts";

const url = "http://127.0.0.1:1/v1/health";

describe("the request log", () => {
  test("records a request before and after its response, and passes the response on unread", async () => {
    const answer = Promise.withResolvers<Response>();
    const log = createRequestLog(() => answer.promise);
    const read = Promise.withResolvers<void>();
    log.subscribe(() => log.exchanges()[0]?.answer && read.resolve());
    const response = log.fetch(url, { headers: { authorization: "Bearer s3cret" } });
    expect(log.exchanges()).toMatchObject([{ method: "GET", url, status: null, durationMs: null, authorized: true }]);

    const text = '{"status":"ok"}';
    const headers = { "content-type": "application/json", "content-length": String(text.length) };
    answer.resolve(new Response(text, { headers }));
    expect(await (await response).text()).toBe(text);
    await read.promise;
    expect(log.exchanges()).toMatchObject([{ status: 200, answer: text }]);
    expect(JSON.stringify(log.exchanges())).not.toContain("s3cret");
  });

  test("records why there was no response", async () => {
    const log = createRequestLog(() => Promise.reject(new TypeError("Failed to fetch")));
    await expect(log.fetch(url, {})).rejects.toThrow("Failed to fetch");
    expect(log.exchanges()).toMatchObject([{ status: null, failure: "TypeError: Failed to fetch" }]);
  });

  test("keeps the newest 500", async () => {
    const log = createRequestLog(async () => new Response(null, { status: 204 }));
    for (let i = 0; i < 502; i++) await log.fetch(`${url}?${i}`, {});
    expect(log.exchanges()).toHaveLength(500);
    expect(log.exchanges().at(-1)?.url).toBe(`${url}?501`);
  });
});
