/** Schemas are built when they are first used: building all of them takes longer than everything else of a start. */
import * as z from "zod";

export type Lazy<Schema extends z.ZodType = z.ZodType> = () => Schema;

const all: Lazy[] = [];

/** A schema that is built with the first call and then kept. */
export function lazy<Schema extends z.ZodType>(build: () => Schema): Lazy<Schema> {
  let built: Schema | null = null;
  const get = () => (built ??= build());
  all.push(get);
  return get;
}

/** The same for an object, by its members. */
export function lazyObject<Shape extends z.core.$ZodLooseShape>(shape: () => Shape) {
  return lazy(() => z.object(shape()));
}

/** Every schema in the order of the modules, whichever were built before. */
export function allSchemas(): z.ZodType[] {
  return all.map((get) => get());
}

/** The type of the values that a lazy schema accepts. */
export type Infer<Of extends Lazy> = z.infer<ReturnType<Of>>;
