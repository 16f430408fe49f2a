/** What a reader has opened or closed. Kept beside the list, since rows that scroll away are forgotten. */
import { createContext, type ReactNode, type SyntheticEvent, useContext, useState } from "react";

const OpenContext = createContext<Map<string, boolean>>(new Map());

export function OpenStates({ children }: { children: ReactNode }) {
  const [states] = useState(() => new Map<string, boolean>());
  return <OpenContext value={states}>{children}</OpenContext>;
}

/** Properties for a `<details>`: as the reader left it, or as `initial` says. */
export function useOpen(key: string, initial: boolean) {
  const states = useContext(OpenContext);
  const [touched, setTouched] = useState(() => states.get(key) ?? null);
  const open = touched ?? initial;
  const onToggle = (event: SyntheticEvent<HTMLDetailsElement>) => {
    const next = event.currentTarget.open;
    // Also told when we opened it ourselves, which is no choice of the reader.
    if (event.target !== event.currentTarget || next === open) return;
    states.set(key, next);
    setTouched(next);
  };
  return { open, onToggle };
}
