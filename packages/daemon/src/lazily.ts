/** Something that is made when it is first asked for, so that what nobody uses costs nothing at the start. */
export interface Lazy<Thing> {
  /** A failure is told to those who wait; whoever asks next has it tried again. */
  get(): Promise<Thing>;
  /** null while nobody has asked. */
  readonly made: Promise<Thing> | null;
}

export function lazily<Thing>(make: () => Promise<Thing>): Lazy<Thing> {
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
