import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Watchdog } from "./watchdog.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watch(milliseconds = 800) {
  const onSilence = vi.fn();
  return { onSilence, watchdog: new Watchdog(milliseconds, onSilence) };
}

describe("a watchdog", () => {
  test("calls back once, at most an eighth of the time late", () => {
    const { onSilence, watchdog } = watch();
    watchdog.start();
    vi.advanceTimersByTime(800);
    expect(onSilence).not.toHaveBeenCalled();
    vi.advanceTimersByTime(100);
    expect(onSilence).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(10_000);
    expect(onSilence).toHaveBeenCalledTimes(1);
  });

  test("does not call back while it is fed", () => {
    const { onSilence, watchdog } = watch();
    watchdog.start();
    for (let fed = 0; fed < 20; fed++) {
      vi.advanceTimersByTime(750);
      watchdog.feed();
    }
    expect(onSilence).not.toHaveBeenCalled();
    vi.advanceTimersByTime(900);
    expect(onSilence).toHaveBeenCalledTimes(1);
  });

  test("waits the whole time after each start", () => {
    const { onSilence, watchdog } = watch();
    watchdog.start();
    vi.advanceTimersByTime(790);
    watchdog.stop();
    watchdog.start();
    vi.advanceTimersByTime(800);
    expect(onSilence).not.toHaveBeenCalled();
    vi.advanceTimersByTime(100);
    expect(onSilence).toHaveBeenCalledTimes(1);
  });

  test("does not call back after it is stopped, and leaves no timer behind", () => {
    const { onSilence, watchdog } = watch();
    watchdog.start();
    watchdog.stop();
    vi.advanceTimersByTime(100);
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(10_000);
    expect(onSilence).not.toHaveBeenCalled();
  });

  test("can be started again in its callback", () => {
    const { onSilence, watchdog } = watch();
    onSilence.mockImplementationOnce(() => watchdog.start());
    watchdog.start();
    vi.advanceTimersByTime(1800);
    expect(onSilence).toHaveBeenCalledTimes(2);
  });

  test("never calls back with 0 milliseconds", () => {
    const { onSilence, watchdog } = watch(0);
    watchdog.start();
    vi.advanceTimersByTime(10_000);
    expect(onSilence).not.toHaveBeenCalled();
  });
});
