/**
 * Something that is asked once for all callers. A failure is not kept: those who wait for the answer get what `otherwise`
 * returns or throws, and the next caller asks again.
 */
export function askedOnce<Answer>(ask: () => Promise<Answer>, otherwise: (error: unknown) => Answer) {
  let asked: Promise<Answer> | null = null;

  function get(): Promise<Answer> {
    if (asked) return asked;
    const asking = ask().catch((error: unknown) => {
      if (asked === asking) asked = null;
      return otherwise(error);
    });
    asked = asking;
    return asking;
  }

  return {
    get,
    /** Another version may answer something else. */
    forget(): void {
      asked = null;
    },
  };
}
