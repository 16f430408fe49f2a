import { describe, expect, test } from "vitest";
import { normalizeEndpoint } from "./connection-store.ts";
import { connectionInUrl } from "./url-connection.ts";

describe("an endpoint", () => {
  test.each([
    ["127.0.0.1:2468", "http://127.0.0.1:2468"],
    [" https://agents.example.com/daemon/ ", "https://agents.example.com/daemon"],
    ["localhost", "http://localhost"],
  ])("%j is read as %s", (text, endpoint) => expect(normalizeEndpoint(text)).toBe(endpoint));

  test.each(["", "ftp://example.com", "not an address"])("%j is rejected", (text) =>
    expect(normalizeEndpoint(text)).toBeNull(),
  );
});

describe("the URL of the page", () => {
  const own = "http://127.0.0.1:2468";

  test("with a token connects to the daemon that served it, and removes the token from the URL", () => {
    const { connection, cleaned } = connectionInUrl(`${own}/ui/sessions/a?token=a+b&event=3`);
    expect(connection).toEqual({ endpoint: own, token: "a b" });
    expect(cleaned).toBe("/ui/sessions/a?event=3");
  });

  test("may name another daemon and headers", () => {
    const headers = encodeURIComponent(JSON.stringify({ "x-proxy": "1" }));
    expect(connectionInUrl(`${own}/ui/?endpoint=https://far.example/&headers=${headers}`).connection).toEqual({
      endpoint: "https://far.example",
      headers: { "x-proxy": "1" },
    });
  });

  test("without any of these has no connection", () => {
    expect(connectionInUrl(`${own}/ui/`).connection).toBeNull();
  });
});
