/** Something that is made when it is first asked for, so that what nobody uses costs nothing at the start. */
export interface Lazy<Thing> {
  get(): Promise<Thing>;
  /** null while nobody has asked. */
  readonly made: Promise<Thing> | null;
}

export function lazily<Thing>(make: () => Promise<Thing>): Lazy<Thing> {
  let made: Promise<Thing> | null = null;
  return {
    get: () => (made ??= make()),
    get made() {
      return made;
    },
  };
}
