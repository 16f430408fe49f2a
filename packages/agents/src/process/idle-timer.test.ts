import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { idleTimer } from "./idle-timer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function idle({ resting, milliseconds = 100 }: { resting: boolean; milliseconds?: number }) {
  const state = { resting };
  const act = vi.fn(async () => {});
  return { state, act, timer: idleTimer(milliseconds, () => state.resting, act) };
}

describe("an idle timer", () => {
  test("acts once, after the period", () => {
    const { act, timer } = idle({ resting: true });
    timer.restart();
    vi.advanceTimersByTime(99);
    expect(act).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    expect(act).toHaveBeenCalledTimes(1);
  });

  test("begins again when something happens", () => {
    const { act, timer } = idle({ resting: true });
    timer.restart();
    vi.advanceTimersByTime(60);
    timer.restart();
    vi.advanceTimersByTime(60);
    expect(act).not.toHaveBeenCalled();
  });

  test("detects that it has become idle, and waits for the whole period then", () => {
    const { act, timer, state } = idle({ resting: false });
    timer.restart();
    vi.advanceTimersByTime(190);
    state.resting = true;
    vi.advanceTimersByTime(100);
    expect(act).not.toHaveBeenCalled();
    vi.advanceTimersByTime(10);
    expect(act).toHaveBeenCalledTimes(1);
  });

  test("does not act while busy", () => {
    const { act, timer, state } = idle({ resting: true });
    timer.restart();
    state.resting = false;
    vi.advanceTimersByTime(10_000);
    expect(act).not.toHaveBeenCalled();
  });

  test("checks at the same time regardless of activity", () => {
    const { act, timer, state } = idle({ resting: false });
    timer.restart();
    vi.advanceTimersByTime(50);
    timer.restart();
    state.resting = true;
    vi.advanceTimersByTime(150);
    expect(act).toHaveBeenCalledTimes(1);
  });

  test("does nothing once it has ended", () => {
    const { act, timer } = idle({ resting: true });
    timer.restart();
    timer.end();
    timer.restart();
    expect(vi.getTimerCount()).toBe(0);
    expect(act).not.toHaveBeenCalled();
  });

  test("of zero milliseconds never acts", () => {
    const { timer } = idle({ resting: true, milliseconds: 0 });
    timer.restart();
    expect(vi.getTimerCount()).toBe(0);
  });
});
