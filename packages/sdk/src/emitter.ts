/** A typed event emitter. */
export interface Emitter<Values> {
  emit<Name extends keyof Values>(name: Name, value: Values[Name]): void;
  /** Returns a function that removes the listener. */
  on<Name extends keyof Values>(name: Name, listener: (value: Values[Name]) => unknown): () => void;
  hasListeners(name: keyof Values): boolean;
}

export function createEmitter<Values>(): Emitter<Values> {
  const listeners: { [Name in keyof Values]?: Set<(value: Values[Name]) => unknown> } = {};
  return {
    emit(name, value) {
      for (const listener of listeners[name] ?? []) listener(value);
    },
    on(name, listener) {
      listeners[name] ??= new Set();
      listeners[name].add(listener);
      return () => void listeners[name]?.delete(listener);
    },
    hasListeners: (name) => (listeners[name]?.size ?? 0) > 0,
  };
}
