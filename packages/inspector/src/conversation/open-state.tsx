/** Which details are open. Kept outside of the rows, because rows that scroll out of view are unmounted. */
import { createContext, type ReactNode, type SyntheticEvent, useContext, useState } from "react";

const OpenContext = createContext<Map<string, boolean>>(new Map());

export function OpenStates({ children }: { children: ReactNode }) {
  const [states] = useState(() => new Map<string, boolean>());
  return <OpenContext value={states}>{children}</OpenContext>;
}

/** Properties for a `<details>`: as the user left it, else `initial`. */
export function useOpen(key: string, initial: boolean) {
  const states = useContext(OpenContext);
  const [touched, setTouched] = useState(() => states.get(key) ?? null);
  const open = touched ?? initial;
  const onToggle = (event: SyntheticEvent<HTMLDetailsElement>) => {
    const next = event.currentTarget.open;
    // The event also fires when React opens it, which is not a choice of the user.
    if (event.target !== event.currentTarget || next === open) return;
    states.set(key, next);
    setTouched(next);
  };
  return { open, onToggle };
}
