/**
 * A value that is loaded once for all callers. A failure is not cached: current callers get what `onFailure` returns or
 * throws, and the next caller loads again.
 */
export function cachedLoad<Value>(load: () => Promise<Value>, onFailure: (error: unknown) => Value) {
  let cached: Promise<Value> | null = null;

  function get(): Promise<Value> {
    if (cached) return cached;
    const loading = load().catch((error: unknown) => {
      if (cached === loading) cached = null;
      return onFailure(error);
    });
    cached = loading;
    return loading;
  }

  return {
    get,
    /** Called when another version of the agent is installed. */
    invalidate(): void {
      cached = null;
    },
  };
}
