/** Schemas are built on first use, because building all of them takes longer than the rest of the daemon's start. */
import * as z from "zod";

export type Lazy<Schema extends z.ZodType = z.ZodType> = () => Schema;

const all: Lazy[] = [];

/** A schema that is built on the first call and then cached. */
export function lazy<Schema extends z.ZodType>(build: () => Schema): Lazy<Schema> {
  let built: Schema | null = null;
  const get = () => (built ??= build());
  all.push(get);
  return get;
}

/** The same for an object schema, from its shape. */
export function lazyObject<Shape extends z.core.$ZodLooseShape>(shape: () => Shape) {
  return lazy(() => z.object(shape()));
}

/** Every schema in module order, regardless of which were built first. */
export function allSchemas(): z.ZodType[] {
  return all.map((get) => get());
}

/** The type of the values that a lazy schema accepts. */
export type Infer<Of extends Lazy> = z.infer<ReturnType<Of>>;
