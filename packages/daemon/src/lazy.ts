/** A value that is created on first use, so that unused parts cost nothing at the start. */
export interface Lazy<Thing> {
  /** Rejects if creating the value fails. The next call tries again. */
  get(): Promise<Thing>;
  /** null before the first call of `get`. */
  readonly made: Promise<Thing> | null;
}

export function lazy<Thing>(make: () => Promise<Thing>): Lazy<Thing> {
  let made: Promise<Thing> | null = null;
  const start = () => {
    const making = make();
    making.catch(() => (made = null));
    return making;
  };
  return {
    get: () => (made ??= start()),
    get made() {
      return made;
    },
  };
}
