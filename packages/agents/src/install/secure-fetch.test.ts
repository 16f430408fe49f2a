import { afterEach, expect, test, vi } from "vitest";
import { fetchSecurely } from "./secure-fetch.ts";

afterEach(() => void vi.restoreAllMocks());

/** A network in which each URL redirects to the next, and the last one answers. Returns the requested URLs. */
function network(...chain: string[]): string[] {
  const requested: string[] = [];
  const answer = async (input: unknown) => {
    const url = String(input);
    requested.push(url);
    const next = chain[chain.indexOf(url) + 1];
    return next === undefined ? new Response("done") : new Response(null, { status: 302, headers: { location: next } });
  };
  vi.spyOn(globalThis, "fetch").mockImplementation(Object.assign(answer, { preconnect: () => {} }));
  return requested;
}

const get = (url: string, allowPlain = false) =>
  fetchSecurely(url, { allowPlain, signal: new AbortController().signal }).then((response) => response.text());

test("redirects from https to https are followed", async () => {
  network("https://a.example/", "https://b.example/", "https://b.example/c");
  expect(await get("https://a.example/")).toBe("done");
});

test.each([
  ["https://a.example/", "http://a.example/", /redirects to http:\/\/a\.example\/, which is not encrypted/],
  ["https://a.example/", "http://127.0.0.1/", /redirects to http:\/\/127\.0\.0\.1\//],
  ["https://a.example/", "file:///etc/passwd", /file:\/\/\/etc\/passwd is not an https address/],
  ["http://127.0.0.1/", "http://a.example/", /is not encrypted/],
])("%s does not lead to %s", async (from, to, reason) => {
  const requested = network(from, to);
  await expect(get(from)).rejects.toThrow(reason);
  expect(requested).toEqual([from]);
});

test("not even when plain http is allowed does https lead to it", async () => {
  network("https://a.example/", "http://a.example/");
  await expect(get("https://a.example/", true)).rejects.toThrow(/which is not encrypted/);
  expect(await get("http://a.example/", true)).toBe("done");
});

test.each([
  "http://127.0.0.1.example.com/",
  "http://localhost.example.com/",
  "http://0177.1.example/",
  "ftp://a/",
  "x",
])("%s is rejected", async (url) => {
  const requested = network(url);
  await expect(get(url)).rejects.toThrow();
  expect(requested).toEqual([]);
});

test("a password in an address is not part of the message", async () => {
  await expect(get("http://user:secret@a.example/x?key=secret")).rejects.toThrow(/^http:\/\/a\.example\/x is not/);
});
