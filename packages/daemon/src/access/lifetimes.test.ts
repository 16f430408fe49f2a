import { afterEach, describe, expect, test, vi } from "vitest";
import { Lifetimes } from "./lifetimes.ts";
import type { Principal } from "./principal.ts";

const make = (): Omit<Principal, "expiresAt" | "ended"> => ({
  id: "tok_a",
  kind: "token",
  scopes: new Set(["read"]),
  sessions: null,
});
const dayMs = 24 * 3600 * 1000;

afterEach(() => vi.useRealTimers());

describe("the principal of a token", () => {
  test("is one for all requests, and ends with the token's time", () => {
    vi.useFakeTimers();
    const lifetimes = new Lifetimes();
    const principal = lifetimes.principal("a", Date.now() + 1000, make);
    expect(lifetimes.principal("a", Date.now() + 1000, make)).toBe(principal);
    vi.advanceTimersByTime(999);
    expect(principal.ended?.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(principal.ended?.aborted).toBe(true);
  });

  test("lives longer than a timer can wait", () => {
    vi.useFakeTimers();
    const lifetimes = new Lifetimes();
    const principal = lifetimes.principal("a", Date.now() + 90 * dayMs, make);
    vi.advanceTimersByTime(89 * dayMs);
    expect(principal.ended?.aborted).toBe(false);
    vi.advanceTimersByTime(dayMs);
    expect(principal.ended?.aborted).toBe(true);
  });

  test("ends when it is revoked", () => {
    const lifetimes = new Lifetimes();
    const principal = lifetimes.principal("a", Date.now() + 1000, make);
    lifetimes.end("a");
    expect(principal.ended?.aborted).toBe(true);
  });
});
